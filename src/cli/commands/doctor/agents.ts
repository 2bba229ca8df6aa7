/** The agents the configuration names: whether their programs are there, answer and are logged in; on request, whether they work. */
import { dirname } from 'node:path';
import type { Agent, ModelUse } from '../../../agents/agent.ts';
import { modesWithoutAgent, usesOfMode } from '../../../config/legion/agent-of.ts';
import type { AgentKind } from '../../../config/legion/work.ts';
import { modelUse, openAgents } from '../../../daemon/compose-agents.ts';
import { CATALOGUE } from '../../../domain/fault.ts';
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
  return [...notChosen(resolved.config), ...found.flat()];
}

function notChosen(config: Place['resolved']['config']): readonly Finding[] {
  const modes = modesWithoutAgent(config);
  if (modes.length === 0) return [];
  const where = modes.length === MODES.length ? '' : ` for ${modes.join(', ')}`;
  return [
    bad('agent', `no agent is chosen${where}: no worker can start`, CATALOGUE['agent.not_chosen'].next),
  ];
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
    const [first, fallback] = usesOfMode(config, mode);
    if (first !== undefined) entry(first.agent, modelUse(first)).first.push(mode);
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
  const says = `${where}; ${found.version}${login}`;
  const there = kind === 'scripted' ? warn(what, says, SCRIPTED_ADVICE) : ok(what, says);
  return turn ? [there, await worked(`${what} works`, agent, use, context)] : [there];
}

const SCRIPTED_ADVICE =
  'It does no real work: choose claude-code, opencode or codex in `agents` for real changes.';

async function worked(what: string, agent: Agent, use: ModelUse, context: CommandContext): Promise<Finding> {
  const { answer, problem } = await dryTurn(agent, use, context);
  if (problem === undefined) return ok(what, answer);
  return bad(what, problem, 'Do what it says, then try again with `legion doctor --turn`.');
}
