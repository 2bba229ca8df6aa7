/** The Linear a demo is to be played on, from its options: all of them or none. */
import type { CommandContext } from '../../command.ts';
import { addressGiven, allOrNone, fitting, variableGiven } from './given.ts';

export const LINEAR_OPTIONS = {
  'linear-url': {
    value: 'URL',
    says: 'put the issues into this Linear, such as the one of `npm run linear -- --demo`; needs the next two',
  },
  team: { value: 'KEY', says: 'the team there that is the board; it may have no open issues' },
  'key-variable': {
    value: 'NAME',
    says: 'the environment variable with your key to it; without --linear-url the one with the key to --model-url',
  },
} as const;

type LinearOptions = { readonly [Name in keyof typeof LINEAR_OPTIONS]?: string | undefined };

export interface GivenLinear {
  readonly url: string;
  /** As it was named: by key, name or UUID. */
  readonly team: string;
  readonly keyVariable: string;
}

export function linearGiven(options: LinearOptions, context: CommandContext): GivenLinear | undefined {
  // By itself a variable is one for a model.
  if (options['linear-url'] === undefined && options.team === undefined) return undefined;
  allOrNone(options, ['linear-url', 'team', 'key-variable'], 'a demo in Linear');
  const url = addressGiven(options, 'linear-url', 'https://api.linear.app');
  const team = fitting(options, 'team', /\S/, 'the key of a team').trim();
  return { url, team, keyVariable: variableGiven(options, 'key-variable', context) };
}
