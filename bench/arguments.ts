/** Parses the command line of `npm run bench`. */
import { parseArgs } from 'node:util';

export interface BenchArguments {
  readonly json: boolean;
  readonly short: boolean;
  readonly help: boolean;
  /** Names of the benchmarks to run, in the order of the table. */
  readonly names: readonly string[];
}

export const USAGE = 'Usage: npm run bench -- [--only NAME]... [--short] [--json]';

/** Throws an error whose message says which argument is invalid and what is valid. */
export function readBenchArguments(args: readonly string[], known: readonly string[]): BenchArguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true, default: [] },
      short: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const wanted = values.only;
  for (const name of wanted) {
    if (!known.includes(name))
      throw new Error(`Unknown benchmark ${JSON.stringify(name)}. Valid: ${known.join(', ')}.`);
  }
  return {
    json: values.json,
    short: values.short,
    help: values.help,
    names: wanted.length === 0 ? known : known.filter((name) => wanted.includes(name)),
  };
}
