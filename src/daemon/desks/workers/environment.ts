/** The environment Legion and the agent give a worker in its present attempt, without its secrets. */
import type { Command } from '../../../core/model/command.ts';
import type { WorkerId } from '../../../core/model/ids.ts';
import type { WorkerRecord } from '../../../core/state/state.ts';
import { environmentOf } from '../../perform/launch.ts';
import { phaseOfIssue } from '../../reports/phase-of.ts';
import { eventsAbout } from '../../services/operator/history.ts';
import type { World } from '../../world.ts';
import { redacted } from './given-environment.ts';
import { knownWorker } from './known-worker.ts';

/** Events of the issue among which the order of the present attempt is looked for. */
const SEARCHED_MOST = 200;

type Spawn = Extract<Command, { kind: 'spawn' }>;

/** What the host adds of its own, such as PATH, is the host's to know. */
export async function environment(world: World, id: WorkerId): Promise<Readonly<Record<string, string>>> {
  const worker = knownWorker(world.ledger.swarm, id);
  const { issue, mode, session } = worker;
  const command = await spawnOf(world, worker);
  // The order says so even where the issue has moved on since.
  const phase = command.purpose === 'retro' ? 'retro' : phaseOfIssue(world, issue, mode);
  const workspace = (await world.workspaces.find(issue))?.path ?? '';
  const { env } = world.agentOf(worker).agent.launch(session, { prompt: '', workspace });
  return redacted({
    ...env,
    ...(await environmentOf(world, command, phase)),
    ...command.env,
  });
}

/** As it was ordered; where that lies too far back in the journal, as it would be ordered now. */
async function spawnOf(world: World, { issue, mode, attempt, version }: WorkerRecord): Promise<Spawn> {
  const events = await eventsAbout(world.ledger, issue, SEARCHED_MOST);
  const orders = events.flatMap((event) =>
    event.type === 'intent.opened' && event.command.kind === 'spawn' ? [event.command] : [],
  );
  const own = orders.findLast((order) => order.mode === mode && order.attempt === attempt);
  return own ?? { kind: 'spawn', issue, mode, attempt, version, purpose: 'start' };
}
