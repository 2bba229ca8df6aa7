/** The agents the configuration names: whether their programs are there, answer and are logged in; on request, whether they work. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { modesWithoutAgent, usesOfMode } from '../../../config/legion/mode-agents.ts';
import type { AgentKind } from '../../../config/legion/work.ts';
import { CATALOGUE } from '../../../core/model/fault.ts';
import { modelUse, openAgents } from '../../../daemon/compose-agents.ts';
import type { Environment } from '../../../domain/environment.ts';
import { MODES } from '../../../domain/mode.ts';
import { run } from '../../../lib/process/run.ts';
import type { Agent, AgentEvent, ModelUse } from '../../../ports/agent.ts';
import { ASKED_FLAG } from '../../../protocol/outbox.ts';
import type { CommandContext } from '../../command.ts';
import { launcher } from '../../launcher.ts';
import type { Place } from '../../legion-location.ts';
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

/** A model that thinks long about one word, on a cold start. */
const TURN_MS = 120_000;

const PROMPT = 'This is a check of the installation. Use no tool. Answer with the single word: ready';

interface DryTurn {
  readonly answer: string;
  readonly problem?: string;
}

async function dryTurn(agent: Agent, use: ModelUse, { env, signal }: CommandContext): Promise<DryTurn> {
  if (agent.kind === 'scripted') return { answer: 'it needs no model' };
  const folder = mkdtempSync(join(tmpdir(), 'legion-doctor-'));
  try {
    const workspace = join(folder, 'workspace');
    mkdirSync(workspace);
    const { argv, stdin, env: own } = agent.launch(randomUUID(), { prompt: PROMPT, workspace, ...use });
    const [program, ...args] = argv;
    const { stdout } = await run(program, args, {
      cwd: workspace,
      env: { ...env, ...own, ...workerEnvironment(folder) },
      input: stdin,
      timeoutMs: TURN_MS,
      signal,
    });
    return verdictOn(stdout.split('\n').flatMap((line) => agent.read(line)));
  } catch (error) {
    return { answer: '', problem: error instanceof Error ? error.message : String(error) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Nobody is asked to report: the question that is marked as asked lets the turn end. */
function workerEnvironment(folder: string): Environment {
  const outbox = join(folder, 'outbox');
  mkdirSync(outbox);
  writeFileSync(join(outbox, ASKED_FLAG), '');
  return {
    LEGION_WORKER: 'doctor-1-plan',
    LEGION_ISSUE: 'DOCTOR-1',
    LEGION_MODE: 'plan',
    LEGION_PHASE: 'plan',
    LEGION_PURPOSE: 'start',
    LEGION_ATTEMPT: '1',
    LEGION_WORKER_TOKEN: 'of-nobody',
    LEGION_STATE: folder,
    LEGION_OUTBOX: outbox,
  };
}

function verdictOn(events: readonly AgentEvent[]): DryTurn {
  const said = events.flatMap((event) => (event.kind === 'text' ? [event.text.trim()] : []));
  const answer = said.filter(Boolean).at(-1)?.slice(0, ANSWER_SHOWN) ?? '';
  const isEnded = events.some(({ kind }) => kind === 'turn ended');
  if (isEnded && answer !== '') return { answer: `it answered: ${answer}` };
  const error = events.findLast((event) => event.kind === 'error' || event.kind === 'login refused');
  const limit = events.find((event) => event.kind === 'rate limited');
  const why = error?.message ?? (limit === undefined ? NO_END : 'its quota is used up');
  return { answer, problem: isEnded ? 'it answered nothing' : why };
}

/** An agent that cannot reach its model tries again and again, some without a word. */
const NO_END = `no answer within ${TURN_MS / 1_000} s; see whether the model’s address can be reached from here`;

/** Characters of the answer. */
const ANSWER_SHOWN = 60;
