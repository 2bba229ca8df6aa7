/** The Linear a demo is to be played on, from its options: all of them or none. */
import type { CommandContext } from '../../command.ts';
import { addressGiven, allOrNone, fitting, variableGiven } from './given.ts';

export type LinearOptions = {
  readonly linearUrl?: string;
  readonly team?: string;
  readonly keyVariable?: string;
};

export interface GivenLinear {
  readonly url: string;
  /** As it was named: by key, name or UUID. */
  readonly team: string;
  readonly keyVariable: string;
}

export function linearGiven(options: LinearOptions, context: CommandContext): GivenLinear | undefined {
  // By itself a variable is one for a model.
  if (options.linearUrl === undefined && options.team === undefined) return undefined;
  allOrNone(options, ['linearUrl', 'team', 'keyVariable'], 'a demo in Linear');
  const url = addressGiven(options, 'linearUrl', 'https://api.linear.app');
  const team = fitting(options, 'team', /\S/, 'the key of a team').trim();
  return { url, team, keyVariable: variableGiven(options, 'keyVariable', context) };
}
