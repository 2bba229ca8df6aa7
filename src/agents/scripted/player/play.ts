/** Plays one turn of a session: reads the prompt, chooses the steps, carries them out, says how it ended. */

import { addAbortSignal, type Readable, type Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Environment } from '../../../domain/environment.ts';
import { LegionError } from '../../../domain/fault.ts';
import type { AgentLine } from '../../../protocol/agent-line.ts';
import type { WorkerEnvironment } from '../../../protocol/worker-environment.ts';
import { identify } from '../../../speech/identify.ts';
import { openSpeaker } from '../../../speech/speaker.ts';
import { factsOf } from '../facts.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { chooseSteps } from './choose-steps.ts';
import { playSteps } from './play-steps.ts';
import { openSession, type Session, type SessionOrder } from './session.ts';
import { openTurn } from './turn.ts';

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
