/** Refuses a demo on an agent that cannot work, before anything is laid out: its issues would wait for it until the demo gives up. */
import { tmpdir } from 'node:os';
import { AGENT_KINDS } from '../../../config/legion/work.ts';
import { openAgents } from '../../../daemon/compose-agents.ts';
import type { DemoAgent } from '../../../demo/configuration.ts';
import { LegionError } from '../../../domain/fault.ts';
import type { CommandContext } from '../../command.ts';
import { launcher } from '../../launcher.ts';

export async function refuseUnready(demo: DemoAgent, { env, signal }: CommandContext): Promise<void> {
  const kind = AGENT_KINDS.find((each) => each === demo.agent);
  if (kind === undefined) return;
  // A preflight leaves nothing where it is told that sessions are kept.
  const place = { launcher: launcher(), state: tmpdir(), folder: tmpdir(), environment: env };
  const { model, url, keyVariable } = demo;
  const endpoint = url === undefined ? undefined : { url, keyVariable };
  const found = await openAgents(place)(kind).preflight(signal, { model, endpoint });
  if (!found.ready) throw new LegionError('agent.not_ready', `${found.problem}. ${found.next}`);
}
