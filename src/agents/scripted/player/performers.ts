/** How steps are played: one function for each name. */
import type { StepInput, StepName } from '../scenario/step.ts';
import type { Ending, Turn } from './turn.ts';

/** Resolves to an ending where the turn is over after this step. */
export type Performers<N extends StepName> = {
  readonly [Name in N]: (input: StepInput<Name>, turn: Turn) => Promise<Ending | undefined> | Promise<void>;
};
