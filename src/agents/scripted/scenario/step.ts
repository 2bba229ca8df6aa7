/** One thing a scripted agent does: a name, and what belongs to it. */
import type { z } from 'zod';
import { MISBEHAVIOUR } from './forms/misbehaviour.ts';
import { SPEECH } from './forms/speech.ts';
import { WORK } from './forms/work.ts';

export const STEPS = { ...WORK, ...SPEECH, ...MISBEHAVIOUR } as const;

export type StepName = keyof typeof STEPS;
export const STEP_NAMES = Object.keys(STEPS) as readonly StepName[];

export type StepInput<N extends StepName> = z.output<(typeof STEPS)[N]['input']>;

export type Step<N extends StepName = StepName> = {
  [Name in N]: { readonly name: Name; readonly input: StepInput<Name> };
}[N];
