/** Keeps what CI said about each commit. A result that cannot be read is none: CI can be run again. */
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../../lib/fs/atomic-write.ts';
import { readJsonFile } from '../../lib/fs/read-bounded.ts';
import { cleanTail } from '../clean-text.ts';
import { translated } from '../faults.ts';

/** What fits into an implementer's prompt beside everything else. */
const LOG_TAIL_CHARACTERS = 16_384;
const NAME_CHARACTERS = 200;

/** `could_not_run`: the command was missing, timed out or was killed; that is no verdict on the code. */
export interface CiOutcome {
  readonly verdict: 'passed' | 'failed' | 'could_not_run';
  readonly name: string;
  readonly logTail: string;
}

const resultSchema = z.object({
  verdict: z.enum(['passed', 'failed', 'could_not_run']),
  name: z.string(),
  logTail: z.string(),
  at: z.number(),
});

export type CiResult = z.infer<typeof resultSchema>;

export interface CiResults {
  read(sha: string): Promise<CiResult | undefined>;
  write(sha: string, outcome: CiOutcome, at: number): Promise<void>;
  /** The file that whoever runs CI for this commit holds. */
  claim(sha: string): string;
}

export function ciResults(folder: string): CiResults {
  const fileOf = (sha: string) => join(folder, `${sha}.json`);
  return {
    claim: (sha) => join(folder, `${sha}.running`),
    async read(sha) {
      return resultSchema.safeParse(readJsonFile(fileOf(sha))).data;
    },
    write: (sha, { verdict, name, logTail }, at) => {
      const kept = {
        verdict,
        name: cleanTail(name, NAME_CHARACTERS),
        logTail: cleanTail(logTail, LOG_TAIL_CHARACTERS),
        at,
      };
      const file = fileOf(sha);
      return translated(file, () => writeDurably(file, `${JSON.stringify(kept)}\n`));
    },
  };
}
