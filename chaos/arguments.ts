/** What the kill harness is told on its command line. */
import { parseArgs } from 'node:util';

export interface Order {
  readonly kills: number;
  readonly seed: number;
  /** How many the board begins with; more come while there is killing to do. */
  readonly issues: number;
  readonly json: boolean;
}

export const USAGE = 'npm run chaos -- [--kills N] [--seed S] [--issues N] [--json]';

/** Throws an error whose message says what is wrong. */
export function readOrder(args: readonly string[]): Order {
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
    kills: whole('--kills', values.kills, 1),
    seed: whole('--seed', values.seed, 0),
    issues: whole('--issues', values.issues, 1),
    json: values.json,
  };
}

function whole(option: string, text: string, least: number): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number) && number >= least) return number;
  throw new Error(`${option} takes a whole number from ${least}, got “${text}”`);
}
