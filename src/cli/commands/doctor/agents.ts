/** The agents the configuration names: whether their programs are there, answer and are logged in; on request, whether they work. */
import { dirname } from 'node:path';
import type { Agent, ModelUse } from '../../../agents/agent.ts';
import { agentOf } from '../../../config/legion/agent-of.ts';
import { type AgentKind, modelUse, openAgents } from '../../../daemon/compose-agents.ts';
import { MODES } from '../../../domain/mode.ts';
import type { CommandContext } from '../../command.ts';
import { launcher } from '../../launcher.ts';
import type { Place } from '../../place.ts';
import { dryTurn } from './dry-turn.ts';
import { bad, type Finding, ok, warn } from './finding.ts';

interface Used {
  readonly kind: AgentKind;
  readonly use: ModelUse;
  /** Where it is the first choice, and where it takes the place of another. */
  readonly first: string[];
  readonly instead: string[];
}

/** `turn`: each takes one short turn with its model, which costs a little quota. */
export async function examineAgents(
  { resolved, file, state }: Place,
  turn: boolean,
  context: CommandContext,
): Promise<readonly Finding[]> {
  const agents = openAgents({
    ...{ launcher: launcher(), state, folder: dirname(file.path), environment: context.env },
  });
  const found = await Promise.all(
    used(resolved.config).map((each) => examine(each, agents(each.kind), turn, context)),
  );
  return found.flat();
}

function used(config: Place['resolved']['config']): readonly Used[] {
  const all = new Map<string, Used>();
  const entry = (kind: AgentKind, use: ModelUse): Used => {
    const key = JSON.stringify([kind, use]);
    const known = all.get(key) ?? { kind, use, first: [], instead: [] };
    all.set(key, known);
    return known;
  };
  for (const mode of MODES) {
    const { fallback, ...first } = agentOf(config, mode);
    entry(first.agent, modelUse(first)).first.push(mode);
    if (fallback !== undefined) entry(fallback.agent, modelUse(fallback)).instead.push(mode);
  }
  return [...all.values()];
}

async function examine(
  { kind, use, first, instead }: Used,
  agent: Agent,
  turn: boolean,
  context: CommandContext,
): Promise<readonly Finding[]> {
  const what = `agent ${kind}${use.model === undefined ? '' : ` ${use.model}`}`;
  const where = [
    ...(first.length === 0 ? [] : [first.length === MODES.length ? 'every mode' : first.join(', ')]),
    ...(instead.length === 0 ? [] : [`fallback of ${instead.join(', ')}`]),
  ].join('; ');
  const found = await agent.preflight(context.signal, use);
  if (!found.ready) {
    const says = `${where}; ${found.problem}`;
    return [first.length === 0 ? warn(what, says, found.next) : bad(what, says, found.next)];
  }
  const login = found.login === undefined ? '' : `; logged in by ${found.login}`;
  const there = ok(what, `${where}; ${found.version}${login}`);
  return turn ? [there, await worked(`${what} works`, agent, use, context)] : [there];
}

async function worked(what: string, agent: Agent, use: ModelUse, context: CommandContext): Promise<Finding> {
  const { answer, problem } = await dryTurn(agent, use, context);
  if (problem === undefined) return ok(what, answer);
  return bad(what, problem, 'Do what it says, then try again with `legion doctor --turn`.');
}
