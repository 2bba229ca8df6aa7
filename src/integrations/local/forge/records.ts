/** The shelf of pull request records: one JSON file each, named by number and branch; numbers are never given out twice. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LegionError } from '../../../core/model/fault.ts';
import { folderName } from '../../../core/model/ids.ts';
import { decode } from '../../../domain/decode.ts';
import { translated, unavailable } from '../../../forges/faults.ts';
import { type PullRequestRecord, recordSchema } from '../../../forges/local/record.ts';
import { writeDurably } from '../../../lib/fs/atomic-write.ts';

export interface Records {
  /** Those of a branch, newest first. A broken one rejects with `forge.record_broken`: it may be the one that counts. */
  ofBranch(branch: string, names: readonly string[]): Promise<readonly PullRequestRecord[]>;
  byNumber(number: number): Promise<PullRequestRecord>;
  /** All that can be read, and the faults of those that cannot. */
  all(): Promise<{
    readonly readable: readonly PullRequestRecord[];
    readonly broken: readonly LegionError[];
  }>;
  /** The names of all files, read once for a whole batch. */
  names(): Promise<readonly string[]>;
  /** Only under the lock of the repository. */
  write(record: PullRequestRecord): Promise<void>;
  /** Only under the lock of the repository. */
  nextNumber(): Promise<number>;
}

/** The branch is in the name so that a broken record hides the pull request of its own branch only. */
const FILE_NAME = /^(\d+)\.(.+)\.json$/;

const NUMBERED = 'last-number';

export function recordShelf(folder: string): Records {
  const fileOf = (number: number, branch: string) => join(folder, `${number}.${folderName(branch)}.json`);

  async function names(): Promise<readonly string[]> {
    try {
      return (await readdir(folder)).filter((name) => FILE_NAME.test(name));
    } catch (error) {
      throw unavailable(folder, error);
    }
  }

  return {
    names,
    async ofBranch(branch, among) {
      const wanted = folderName(branch);
      const mine = among.filter((name) => FILE_NAME.exec(name)?.[2] === wanted);
      const records = await Promise.all(mine.map((name) => readRecord(join(folder, name))));
      return records.sort((one, other) => other.number - one.number);
    },
    async byNumber(number) {
      const name = (await names()).find((candidate) => numberOf(candidate) === number);
      if (name === undefined)
        throw new LegionError('forge.pull_request_missing', `there is no pull request ${number}`);
      return readRecord(join(folder, name));
    },
    async all() {
      const outcomes = await Promise.allSettled(
        (await names()).map((name) => readRecord(join(folder, name))),
      );
      const broken = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
      return {
        readable: outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])),
        broken,
      };
    },
    write: (record) =>
      keep(fileOf(record.number, record.branch), `${JSON.stringify(record, undefined, 2)}\n`),
    async nextNumber() {
      // Written before it is used: a crash leaves a gap, and a record that somebody takes away leaves its number taken.
      const next = Math.max(await lastGiven(join(folder, NUMBERED)), 0, ...(await names()).map(numberOf)) + 1;
      await keep(join(folder, NUMBERED), `${next}\n`);
      return next;
    },
  };
}

function keep(path: string, text: string): Promise<void> {
  return translated(path, () => writeDurably(path, text));
}

function numberOf(name: string): number {
  return Number(FILE_NAME.exec(name)?.[1]);
}

async function lastGiven(path: string): Promise<number> {
  const text = await readText(path);
  if (text === undefined) return 0;
  const number = Number(text);
  if (text.trim() !== '' && Number.isSafeInteger(number)) return number;
  throw new LegionError('forge.record_broken', `${path}: holds no number`);
}

async function readRecord(path: string): Promise<PullRequestRecord> {
  const text = await readText(path);
  if (text === undefined) throw new LegionError('forge.record_broken', `${path}: is gone`);
  const record = decode(recordSchema, parse(text, path), 'pullRequest');
  if (!record.ok) throw new LegionError('forge.record_broken', `${path}: ${record.fault.message}`);
  const { number, branch } = record.value;
  if (path.endsWith(`/${number}.${folderName(branch)}.json`)) return record.value;
  throw new LegionError(
    'forge.record_broken',
    `${path}: holds the record of another pull request, ${number}`,
  );
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unavailable(path, error);
  }
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new LegionError('forge.record_broken', `${path}: ${why}`, { cause: error });
  }
}
