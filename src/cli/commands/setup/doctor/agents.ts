/**
 * Checks that the configured agents are installed, respond and are logged in. On request, also
 * checks that they answer a prompt.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { listModeAgentUses, listModesWithoutAgent } from '../../../../config/legion/mode-agents.ts';
import type { AgentKind } from '../../../../config/legion/work.ts';
import type { EnvironmentVariables } from '../../../../core/model/environment.ts';
import { CATALOGUE } from '../../../../core/model/fault.ts';
import { MODES } from '../../../../core/model/mode.ts';
import { openAgents, toModelUse } from '../../../../daemon/composition/open-agents.ts';
import { run } from '../../../../lib/process/run.ts';
import type { Agent, AgentEvent, ModelUse } from '../../../../ports/agent.ts';
import { QUESTION_FLAG } from '../../../../protocol/outbox.ts';
import { getLauncher } from '../../../installation.ts';
import type { LegionLocation } from '../../../legion-location.ts';
import type { CommandContext } from '../../../program/define-command.ts';
import { type DoctorFinding, reportOk, reportProblem, reportWarning } from './finding.ts';

interface AgentUse {
  readonly kind: AgentKind;
  readonly use: ModelUse;
  /** Modes in which the agent is the first choice, and modes in which it is the fallback. */
  readonly first: string[];
  readonly fallback: string[];
}

/** If `turn` is true, each agent runs one short turn with its model, which costs a little quota. */
export async function inspectAgents(
  { resolved, file, state }: LegionLocation,
  turn: boolean,
  context: CommandContext,
): Promise<readonly DoctorFinding[]> {
  const agents = openAgents({
    launcher: getLauncher(),
    state,
    folder: dirname(file.path),
    environment: context.env,
  });
  const findings = await Promise.all(
    collectAgentUses(resolved.config).map((each) => inspectAgent(each, agents(each.kind), turn, context)),
  );
  return [...findUnchosenModes(resolved.config), ...findings.flat()];
}

function findUnchosenModes(config: LegionLocation['resolved']['config']): readonly DoctorFinding[] {
  const modes = listModesWithoutAgent(config);
  if (modes.length === 0) return [];
  const modesText = modes.length === MODES.length ? '' : ` for ${modes.join(', ')}`;
  return [
    reportProblem(
      'agent',
      `no agent is chosen${modesText}, so no worker can start`,
      CATALOGUE['agent.not_chosen'].next,
    ),
  ];
}

function collectAgentUses(config: LegionLocation['resolved']['config']): readonly AgentUse[] {
  const all = new Map<string, AgentUse>();
  const ensureUse = (kind: AgentKind, use: ModelUse): AgentUse => {
    const key = JSON.stringify([kind, use]);
    const known = all.get(key) ?? { kind, use, first: [], fallback: [] };
    all.set(key, known);
    return known;
  };
  for (const mode of MODES) {
    const [first, fallback] = listModeAgentUses(config, mode);
    if (first !== undefined) ensureUse(first.agent, toModelUse(first)).first.push(mode);
    if (fallback !== undefined) ensureUse(fallback.agent, toModelUse(fallback)).fallback.push(mode);
  }
  return [...all.values()];
}

async function inspectAgent(
  { kind, use, first, fallback: fallbackModes }: AgentUse,
  agent: Agent,
  turn: boolean,
  context: CommandContext,
): Promise<readonly DoctorFinding[]> {
  const subject = `agent ${kind}${use.model === undefined ? '' : ` ${use.model}`}`;
  const purpose = [
    ...(first.length === 0 ? [] : [first.length === MODES.length ? 'every mode' : first.join(', ')]),
    ...(fallbackModes.length === 0 ? [] : [`fallback for ${fallbackModes.join(', ')}`]),
  ].join('; ');
  const preflight = await agent.preflight(context.signal, use);
  if (!preflight.ready) {
    const message = `${purpose}; ${preflight.problem}`;
    return [
      first.length === 0
        ? reportWarning(subject, message, preflight.next)
        : reportProblem(subject, message, preflight.next),
    ];
  }
  const login = preflight.login === undefined ? '' : `; logged in with ${preflight.login}`;
  const description = `${purpose}; ${preflight.version}${login}`;
  const finding =
    kind === 'scripted'
      ? reportWarning(subject, description, SCRIPTED_ADVICE)
      : reportOk(subject, description);
  return turn ? [finding, await inspectTurn(`${subject} works`, agent, use, context)] : [finding];
}

const SCRIPTED_ADVICE =
  'The scripted agent does no real work. Choose claude-code, opencode or codex under `agents`.';

async function inspectTurn(
  subject: string,
  agent: Agent,
  use: ModelUse,
  context: CommandContext,
): Promise<DoctorFinding> {
  const { answer, problem } = await runTrialTurn(agent, use, context);
  if (problem === undefined) return reportOk(subject, answer);
  return reportProblem(subject, problem, 'Fix this, then run `legion doctor --turn` again.');
}

/** Time limit for one turn, long enough for a cold start and a slow model. */
const TURN_MS = 120_000;

const TRIAL_PROMPT = 'This is a check of the installation. Use no tool. Answer with the single word: ready';

interface TrialTurn {
  readonly answer: string;
  readonly problem?: string;
}

async function runTrialTurn(
  agent: Agent,
  use: ModelUse,
  { env, signal }: CommandContext,
): Promise<TrialTurn> {
  if (agent.kind === 'scripted') return { answer: 'needs no model' };
  const folder = mkdtempSync(join(tmpdir(), 'legion-doctor-'));
  try {
    const workspace = join(folder, 'workspace');
    mkdirSync(workspace);
    const { argv, stdin, env: own } = agent.launch(randomUUID(), { prompt: TRIAL_PROMPT, workspace, ...use });
    const [program, ...args] = argv;
    const { stdout } = await run(program, args, {
      cwd: workspace,
      env: { ...env, ...own, ...prepareWorkerEnvironment(folder) },
      input: stdin,
      timeoutMs: TURN_MS,
      signal,
    });
    return judgeTrialTurn(stdout.split('\n').flatMap((line) => agent.read(line)));
  } catch (error) {
    return { answer: '', problem: error instanceof Error ? error.message : String(error) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Builds a worker's environment in which the worker has already asked a question, so that the agent
 * may end its turn without a report.
 */
function prepareWorkerEnvironment(folder: string): EnvironmentVariables {
  const outbox = join(folder, 'outbox');
  mkdirSync(outbox);
  writeFileSync(join(outbox, QUESTION_FLAG), '');
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

function judgeTrialTurn(events: readonly AgentEvent[]): TrialTurn {
  const texts = events.flatMap((event) => (event.kind === 'text' ? [event.text.trim()] : []));
  const answer = texts.filter(Boolean).at(-1)?.slice(0, MAX_ANSWER_CHARACTERS) ?? '';
  const isEnded = events.some(({ kind }) => kind === 'turn ended');
  if (isEnded && answer !== '') return { answer: `answered: ${answer}` };
  const error = events.findLast((event) => event.kind === 'error' || event.kind === 'login refused');
  const limit = events.find((event) => event.kind === 'rate limited');
  const why = error?.message ?? (limit === undefined ? NO_ANSWER_MESSAGE : 'the quota is used up');
  return { answer, problem: isEnded ? 'the answer was empty' : why };
}

/**
 * Shown after a timeout. An agent that cannot reach its model retries forever, in some cases
 * without printing anything.
 */
const NO_ANSWER_MESSAGE = `no answer within ${TURN_MS / 1_000} s; check that this machine can reach the model’s API`;

/** Maximum characters of the answer to show. */
const MAX_ANSWER_CHARACTERS = 60;
