/** Plays one turn of a session: reads the prompt, chooses the steps, carries them out, says how it ended. */

import { addAbortSignal, type Readable, type Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { LegionError } from '../../../core/model/fault.ts';
import type { Environment } from '../../../domain/environment.ts';
import type { AgentLine } from '../../../protocol/agent-line.ts';
import type { WorkerEnvironment } from '../../../protocol/worker-environment.ts';
import { identify } from '../../../speech/identify.ts';
import { openSpeaker } from '../../../speech/speaker.ts';
import { factsOf } from '../facts.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Step, StepName } from '../scenario/step.ts';
import { substituted } from '../scenario/substitute.ts';
import type { Choice } from './choose-steps.ts';
import { chooseSteps } from './choose-steps.ts';
import { misbehaviour } from './misbehave.ts';
import type { Performers } from './performers.ts';
import { openSession, type Session, type SessionOrder } from './session.ts';
import { speech } from './speak.ts';
import type { Ending, Turn } from './turn.ts';
import { openTurn } from './turn.ts';
import { work } from './work.ts';

/** As an agent would, it repairs what the quality gate found in the same session; what stays red is not repaired for ever. */
const MAX_REPAIRS = 2;

export interface PlayOrder extends SessionOrder {
  readonly scenario: string | undefined;
}

export interface World {
  readonly env: Environment;
  /** The workspace. */
  readonly cwd: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable;
  readonly signal: AbortSignal;
}

/** Resolves to the exit code. Every fault is a line of the output before it is thrown. */
export async function play(order: PlayOrder, world: World): Promise<number> {
  try {
    const environment = identify(world.env);
    const scenario = await scenarioOf(order);
    const prompt = await readPrompt(world);
    // After everything that may be wrong with the order: a session that was never begun can be begun again.
    const session = openSession(order);
    try {
      session.append({ type: 'turn', ...factsOf(environment), at: Date.now(), prompt });
      return await playTurn(environment, scenario, session, { ...world, session: order.session });
    } finally {
      session.close();
    }
  } catch (error) {
    if (error instanceof LegionError) {
      const { code, message } = error;
      world.stdout.write(`${JSON.stringify({ type: 'error', code, message } satisfies AgentLine)}\n`);
    }
    throw error;
  }
}

async function playTurn(
  environment: WorkerEnvironment,
  scenario: Scenario | undefined,
  session: Session,
  world: World & { readonly session: string },
): Promise<number> {
  const hearing = listen(world.signal);
  const { signal, deafen } = hearing;
  const turn = openTurn({
    ...{ facts: factsOf(environment), workspace: world.cwd, env: childEnvironment(world.env) },
    ...{ stdout: world.stdout, signal, deafen, session },
    speaker: openSpeaker(environment, { signal }),
  });
  try {
    turn.emit({ type: 'started', session: world.session });
    const { earlier, bookmark } = session;
    const { facts } = turn;
    for (let round = 0; ; round += 1) {
      const purpose = round === 0 ? facts.purpose : 'quality_gate';
      const occasion = { ...turn, facts: { ...facts, purpose }, earlier, bookmark };
      const { code, again } = await playSteps(await chooseSteps(scenario, occasion), turn, session);
      if (again === undefined || round === MAX_REPAIRS) return code;
    }
  } catch (error) {
    // Whatever was cut short by it: being asked to end is no fault.
    signal.throwIfAborted();
    throw error;
  } finally {
    hearing.forget();
  }
}

/** What checks scenarios is loaded only where there is one: the built-in ones should start fast. */
async function scenarioOf({ scenario }: PlayOrder): Promise<Scenario | undefined> {
  if (scenario === undefined) return undefined;
  const { loadScenario } = await import('../scenario/load-scenario.ts');
  return loadScenario(scenario);
}

/** A person at a terminal has no prompt to give. */
async function readPrompt({ stdin, signal }: World): Promise<string> {
  if (stdin.isTTY === true) return '';
  try {
    return await text(addAbortSignal(signal, stdin));
  } catch (error) {
    // An aborted stream fails with an error of its own; every other end of a turn gives the signal's reason.
    signal.throwIfAborted();
    throw error;
  }
}

/** Everything a worker's programs inherit, its marker too; only the cache of our own modules is not theirs. */
function childEnvironment(env: World['env']): Record<string, string> {
  const { NODE_COMPILE_CACHE: _ours, ...rest } = env;
  return Object.fromEntries(
    Object.entries(rest).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
}

/** Whether the process hears that it is asked to end: an agent may become deaf to that. */
interface Hearing {
  readonly signal: AbortSignal;
  /** From now on nothing less than SIGKILL ends the process. */
  deafen(): void;
  forget(): void;
}

function listen(asked: AbortSignal): Hearing {
  const controller = new AbortController();
  const onAbort = () => controller.abort(asked.reason);
  // Somebody who listens keeps the default, which is to die, from happening.
  const nothing = () => undefined;
  asked.addEventListener('abort', onAbort, { once: true });
  if (asked.aborted) onAbort();
  return {
    signal: controller.signal,
    deafen: () => {
      asked.removeEventListener('abort', onAbort);
      process.on('SIGTERM', nothing);
    },
    forget: () => {
      asked.removeEventListener('abort', onAbort);
      process.off('SIGTERM', nothing);
    },
  };
}

/** Plays the chosen steps one after the other, and tells the daemon where one of them fails. */
async function playSteps(choice: Choice, turn: Turn, session: Session): Promise<Ending> {
  const { steps, first, rule, place } = choice;
  for (const [offset, step] of steps.slice(first).entries()) {
    turn.signal.throwIfAborted();
    const index = first + offset;
    // Before the question is asked: whoever answers it may resume at once.
    if (step.name === 'ask' && rule !== undefined) session.append({ type: 'asked', rule, next: index + 1 });
    // The texts of the built-in scenario are finished, and an issue's title in them is not ours to change.
    const finished = rule === undefined ? step : await substituted(step, turn.facts, turn.title);
    const ending = await playStep(finished, `${place}.steps[${index}].${step.name}`, turn);
    if (ending !== undefined) return end(turn, ending);
  }
  return end(turn, { code: 0 });
}

function end(turn: Turn, ending: Ending): Ending {
  if (ending.abrupt !== true && ending.again === undefined) turn.emit({ type: 'turn_ended' });
  return ending;
}

async function playStep(step: Step, place: string, turn: Turn): Promise<Ending | undefined> {
  try {
    return await performStep(step, turn);
  } catch (error) {
    turn.signal.throwIfAborted();
    const failure = failureOf(error, place);
    if (failure instanceof LegionError) await report(failure, turn);
    throw failure;
  }
}

/** What is neither coded nor the file system's answer is a defect, and its stack is what helps. */
function failureOf(error: unknown, place: string): unknown {
  if (error instanceof LegionError)
    return new LegionError(error.code, `${place}: ${error.message}`, { cause: error });
  if (!(error instanceof Error && 'syscall' in error)) return error;
  return new LegionError('scenario.step_failed', `${place}: ${error.message}`, { cause: error });
}

/** An honest agent says why it cannot go on; one whose attempt is over has nobody to say it to. */
async function report({ code, message }: LegionError, turn: Turn): Promise<void> {
  if (code === 'worker.attempt_over') return;
  await turn.say('error', { summary: `${message} [${code}]` }).catch((second: unknown) => {
    if (!(second instanceof LegionError)) throw second;
  });
}

const PERFORMERS: Performers<StepName> = { ...work, ...speech, ...misbehaviour };

/** Plays one step, whatever it is. */
async function performStep<N extends StepName>(step: Step<N>, turn: Turn): Promise<Ending | undefined> {
  const { name, input }: { readonly name: N; readonly input: unknown } = step;
  // The step's type says that this input belongs to this name, which the compiler cannot follow through the lookup.
  const perform = PERFORMERS[name] as (given: unknown, turn: Turn) => Promise<Ending | undefined>;
  return perform(input, turn);
}
