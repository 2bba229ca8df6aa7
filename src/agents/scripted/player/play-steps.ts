/** Plays the chosen steps one after the other, and tells the daemon where one of them fails. */
import { LegionError } from '../../../domain/fault.ts';
import type { Step, StepName } from '../scenario/step.ts';
import { substituted } from '../scenario/substitute.ts';
import type { Choice } from './choose-steps.ts';
import { misbehaviour } from './misbehave.ts';
import type { Performers } from './performers.ts';
import type { Session } from './session.ts';
import { speech } from './speak.ts';
import type { Ending, Turn } from './turn.ts';
import { work } from './work.ts';

export async function playSteps(choice: Choice, turn: Turn, session: Session): Promise<Ending> {
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
