/**
 * Plays one turn of a session: reads the prompt, chooses and runs the steps, and reports how the
 * turn ended.
 */

import { addAbortSignal, type Readable, type Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EnvironmentVariables } from '../../../core/model/environment.ts';
import { LegionError } from '../../../core/model/fault.ts';
import type { AgentLine } from '../../../protocol/agent-line.ts';
import type { WorkerEnvironment } from '../../../protocol/worker-environment.ts';
import { openWorkerClient, requireWorkerEnvironment } from '../../../worker-client/worker-client.ts';
import {
  replaceStepPlaceholders,
  type Scenario,
  type ScenarioStep,
  type StepName,
  toWorkerFacts,
} from '../scenario/scenario.ts';
import { chooseSteps, type StepChoice } from './choose-steps.ts';
import { misbehaviourPerformers } from './misbehave.ts';
import { openScriptedSession, type ScriptedSession, type ScriptedSessionOptions } from './session.ts';
import { openScriptedTurn, type ScriptedTurn, type ScriptedTurnEnding, type StepPerformers } from './turn.ts';
import { verbPerformers } from './verbs.ts';
import { workPerformers } from './work.ts';

/**
 * Maximum number of repairs. Like a real agent, the player fixes quality gate findings in the same
 * session.
 */
const MAX_REPAIRS = 2;

export interface ScenarioOptions extends ScriptedSessionOptions {
  readonly scenario: string | undefined;
}

export interface PlayerContext {
  readonly env: EnvironmentVariables;
  /** The workspace. */
  readonly cwd: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable;
  readonly signal: AbortSignal;
}

/** Resolves to the exit code. Writes every fault to the output before throwing it. */
export async function runScenario(options: ScenarioOptions, context: PlayerContext): Promise<number> {
  try {
    const environment = requireWorkerEnvironment(context.env);
    const scenario = await loadChosenScenario(options);
    const prompt = await readPrompt(context);
    // Opens the session only after the environment and the scenario are validated, because a
    // session that never started can be started again.
    const session = openScriptedSession(options);
    try {
      session.append({ type: 'turn', ...toWorkerFacts(environment), at: Date.now(), prompt });
      return await runScenarioTurn(environment, scenario, session, { ...context, session: options.session });
    } finally {
      session.close();
    }
  } catch (error) {
    if (error instanceof LegionError) {
      const { code, message } = error;
      context.stdout.write(`${JSON.stringify({ type: 'error', code, message } satisfies AgentLine)}\n`);
    }
    throw error;
  }
}

async function runScenarioTurn(
  environment: WorkerEnvironment,
  scenario: Scenario | undefined,
  session: ScriptedSession,
  context: PlayerContext & { readonly session: string },
): Promise<number> {
  const termination = listenForTermination(context.signal);
  const { signal, ignoreTermination } = termination;
  const turn = openScriptedTurn({
    facts: toWorkerFacts(environment),
    workspace: context.cwd,
    env: buildChildEnvironment(context.env),
    stdout: context.stdout,
    signal,
    ignoreTermination,
    session,
    client: openWorkerClient(environment, { signal }),
  });
  try {
    turn.emit({ type: 'started', session: context.session });
    const { earlier, bookmark } = session;
    const { facts } = turn;
    for (let round = 0; ; round += 1) {
      const purpose = round === 0 ? facts.purpose : 'quality_gate';
      const stepContext = { ...turn, facts: { ...facts, purpose }, earlier, bookmark };
      const { code, again } = await runSteps(await chooseSteps(scenario, stepContext), turn, session);
      if (again === undefined || round === MAX_REPAIRS) return code;
    }
  } catch (error) {
    // If this process was asked to exit, an error caused by that request is not a fault.
    signal.throwIfAborted();
    throw error;
  } finally {
    termination.close();
  }
}

/**
 * Loads the module that validates scenarios only if needed, so that built-in scenarios start fast.
 */
async function loadChosenScenario({ scenario }: ScenarioOptions): Promise<Scenario | undefined> {
  if (scenario === undefined) return undefined;
  const { loadScenario } = await import('../scenario/load-scenario.ts');
  return loadScenario(scenario);
}

/** Reads nothing if standard input is a terminal, because there is no prompt then. */
async function readPrompt({ stdin, signal }: PlayerContext): Promise<string> {
  if (stdin.isTTY === true) return '';
  try {
    return await text(addAbortSignal(signal, stdin));
  } catch (error) {
    // An aborted stream fails with its own error, but an interrupted turn must throw the signal's
    // reason.
    signal.throwIfAborted();
    throw error;
  }
}

/**
 * Returns everything that the worker's programs inherit, including the worker's marker, except the
 * variable for our module cache.
 */
function buildChildEnvironment(env: PlayerContext['env']): Record<string, string> {
  const { NODE_COMPILE_CACHE: _ours, ...rest } = env;
  return Object.fromEntries(
    Object.entries(rest).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
}

/** Detects that the process was asked to exit. A misbehaving agent may ignore the request. */
interface TerminationListener {
  readonly signal: AbortSignal;
  /** Makes the process ignore requests to exit, so that only SIGKILL can stop it. */
  ignoreTermination(): void;
  close(): void;
}

function listenForTermination(requested: AbortSignal): TerminationListener {
  const controller = new AbortController();
  const onAbort = () => controller.abort(requested.reason);
  // A listener suppresses the default action, which is to exit.
  const ignoreSignal = () => undefined;
  requested.addEventListener('abort', onAbort, { once: true });
  if (requested.aborted) onAbort();
  return {
    signal: controller.signal,
    ignoreTermination: () => {
      requested.removeEventListener('abort', onAbort);
      process.on('SIGTERM', ignoreSignal);
    },
    close: () => {
      requested.removeEventListener('abort', onAbort);
      process.off('SIGTERM', ignoreSignal);
    },
  };
}

/** Runs the chosen steps in order and reports a failure to the daemon. */
async function runSteps(
  choice: StepChoice,
  turn: ScriptedTurn,
  session: ScriptedSession,
): Promise<ScriptedTurnEnding> {
  const { steps, first, rule, location } = choice;
  for (const [offset, step] of steps.slice(first).entries()) {
    turn.signal.throwIfAborted();
    const index = first + offset;
    // Recorded before the question is asked: the answer may resume the session immediately.
    if (step.name === 'ask' && rule !== undefined) session.append({ type: 'asked', rule, next: index + 1 });
    // Texts of the built-in scenario are already complete, and the issue title in them must stay
    // unchanged even if it looks like a placeholder.
    const finished = rule === undefined ? step : await replaceStepPlaceholders(step, turn.facts, turn.title);
    const ending = await runStep(finished, `${location}.steps[${index}].${step.name}`, turn);
    if (ending !== undefined) return endTurn(turn, ending);
  }
  return endTurn(turn, { code: 0 });
}

function endTurn(turn: ScriptedTurn, ending: ScriptedTurnEnding): ScriptedTurnEnding {
  if (ending.abrupt !== true && ending.again === undefined) turn.emit({ type: 'turn_ended' });
  return ending;
}

/**
 * A signal to the process group can end a step's command before the signal reaches this process. A
 * failed step waits this long, so that the worker does not report a failure while it is being
 * stopped.
 */
const TERMINATION_LAG_MS = 300;

async function runStep(
  step: ScenarioStep,
  location: string,
  turn: ScriptedTurn,
): Promise<ScriptedTurnEnding | undefined> {
  try {
    return await executeStep(step, turn);
  } catch (error) {
    await sleep(TERMINATION_LAG_MS);
    turn.signal.throwIfAborted();
    const failure = toStepFailure(error, location);
    if (failure instanceof LegionError) await reportFailure(failure, turn);
    throw failure;
  }
}

/** Any error that is neither a fault nor from the file system is a defect, so its stack is kept. */
function toStepFailure(error: unknown, location: string): unknown {
  if (error instanceof LegionError)
    return new LegionError(error.code, `${location}: ${error.message}`, { cause: error });
  if (!(error instanceof Error && 'syscall' in error)) return error;
  return new LegionError('scenario.step_failed', `${location}: ${error.message}`, { cause: error });
}

/** Reports why the agent cannot continue, unless its attempt is already over. */
async function reportFailure({ code, message }: LegionError, turn: ScriptedTurn): Promise<void> {
  if (code === 'worker.attempt_over') return;
  await turn.send('error', { summary: `${message} [${code}]` }).catch((second: unknown) => {
    if (!(second instanceof LegionError)) throw second;
  });
}

const PERFORMERS: StepPerformers<StepName> = {
  ...workPerformers,
  ...verbPerformers,
  ...misbehaviourPerformers,
};

/** Plays one step of any kind. */
async function executeStep<N extends StepName>(
  step: ScenarioStep<N>,
  turn: ScriptedTurn,
): Promise<ScriptedTurnEnding | undefined> {
  const { name, input }: { readonly name: N; readonly input: unknown } = step;
  // The step's type guarantees that input and name match, but the compiler cannot infer this
  // through the lookup.
  const perform = PERFORMERS[name] as (
    input: unknown,
    turn: ScriptedTurn,
  ) => Promise<ScriptedTurnEnding | undefined>;
  return perform(input, turn);
}
