/** Parses the command line of the kill harness. */
import { parseArgs } from 'node:util';

export interface ChaosOptions {
  readonly kills: number;
  readonly seed: number;
  /** Initial number of issues. More are added while kills remain. */
  readonly issues: number;
  readonly json: boolean;
}

export const USAGE = 'npm run chaos -- [--kills N] [--seed S] [--issues N] [--json]';

/** Throws an error whose message says which argument is invalid and what is valid. */
export function parseChaosOptions(args: readonly string[]): ChaosOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      kills: { type: 'string', default: '25' },
      seed: { type: 'string', default: '1' },
      issues: { type: 'string', default: '50' },
      json: { type: 'boolean', default: false },
    },
  });
  return {
    kills: parseWholeNumber('--kills', values.kills, 1),
    seed: parseWholeNumber('--seed', values.seed, 0),
    issues: parseWholeNumber('--issues', values.issues, 1),
    json: values.json,
  };
}

function parseWholeNumber(option: string, text: string, least: number): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number) && number >= least) return number;
  throw new Error(`${option} must be a whole number of at least ${least}, got “${text}”`);
}
