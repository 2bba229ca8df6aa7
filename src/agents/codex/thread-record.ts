/** What is kept of a thread between the processes that take its turns: the rules it began with, and the tokens it has told of. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readJsonFile } from '../../lib/fs/read-bounded.ts';

const count = z.number().nonnegative();
const recordSchema = z.object({ thread: z.string(), rules: z.string(), in: count, out: count });
type Kept = z.output<typeof recordSchema>;

export interface Tokens {
  readonly in: number;
  readonly out: number;
}

export class ThreadRecord {
  readonly #file: string;
  #kept: Kept | undefined;

  constructor(folder: string) {
    this.#file = join(folder, 'thread.json');
    this.#kept = read(this.#file);
  }

  /** Undefined where nothing is known of the thread. */
  rulesOf(thread: string): string | undefined {
    return this.#kept?.thread === thread ? this.#kept.rules : undefined;
  }

  began(thread: string, rules: string): void {
    if (this.#kept?.thread !== thread) this.#keep({ thread, rules, in: 0, out: 0 });
  }

  /** Codex tells what the whole thread has used, through all its processes; this is what came since the last time. */
  since(total: Tokens): Tokens {
    const { in: before, out: beforeOut } = this.#kept ?? { in: 0, out: 0 };
    // One that is smaller was counted anew.
    const used = {
      in: total.in < before ? total.in : total.in - before,
      out: total.out < beforeOut ? total.out : total.out - beforeOut,
    };
    if (this.#kept !== undefined) this.#keep({ ...this.#kept, in: total.in, out: total.out });
    return used;
  }

  #keep(kept: Kept): void {
    this.#kept = kept;
    try {
      writeFileSync(this.#file, JSON.stringify(kept), { mode: 0o600 });
    } catch {
      // A full disk: the same as one that cannot be read.
    }
  }
}

/** What cannot be read is as if it was never written: some tokens are told of twice, and nothing stands still for it. */
function read(file: string): Kept | undefined {
  return recordSchema.safeParse(readJsonFile(file)).data;
}
