/** Plays one step, whatever it is. */
import type { Step, StepName } from '../scenario/step.ts';
import { misbehaviour } from './misbehave.ts';
import type { Performers } from './performers.ts';
import { speech } from './speak.ts';
import type { Ending, Turn } from './turn.ts';
import { work } from './work.ts';

const PERFORMERS: Performers<StepName> = { ...work, ...speech, ...misbehaviour };

export async function performStep<N extends StepName>(
  step: Step<N>,
  turn: Turn,
): Promise<Ending | undefined> {
  const { name, input }: { readonly name: N; readonly input: unknown } = step;
  // The step's type says that this input belongs to this name, which the compiler cannot follow through the lookup.
  const perform = PERFORMERS[name] as (given: unknown, turn: Turn) => Promise<Ending | undefined>;
  return perform(input, turn);
}
