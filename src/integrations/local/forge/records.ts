/**
 * Stores pull request records: one JSON file each, named by number and branch. Numbers are never
 * reused.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { decode } from '../../../core/model/decode.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { issueIdSchema, toFolderName } from '../../../core/model/ids.ts';
import { writeDurably } from '../../../lib/fs/atomic-write.ts';
import { SHA } from '../../forge-support/clean-text.ts';
import { toUnavailableFault, withForgeFaults } from '../../forge-support/errors.ts';

export interface PullRequestRecords {
  /**
   * Returns a branch's records, newest first. Rejects with `forge.record_broken` if any of them is
   * broken, because the broken record may be the current one.
   */
  ofBranch(branch: string, names: readonly string[]): Promise<readonly PullRequestRecord[]>;
  byNumber(number: number): Promise<PullRequestRecord>;
  /** Returns all readable records, and the errors of the unreadable ones. */
  all(): Promise<{
    readonly readable: readonly PullRequestRecord[];
    readonly broken: readonly LegionError[];
  }>;
  /** Returns the names of all record files. Callers read them once per batch. */
  names(): Promise<readonly string[]>;
  /** Call only while holding the repository's lock. */
  write(record: PullRequestRecord): Promise<void>;
  /** Call only while holding the repository's lock. */
  nextNumber(): Promise<number>;
}

/** The name includes the branch, so that a broken record affects only its own branch. */
const FILE_NAME = /^(\d+)\.(.+)\.json$/;

const LAST_NUMBER_FILE = 'last-number';

export function createPullRequestRecords(folder: string): PullRequestRecords {
  const getFile = (number: number, branch: string) => join(folder, `${number}.${toFolderName(branch)}.json`);

  async function listNames(): Promise<readonly string[]> {
    try {
      return (await readdir(folder)).filter((name) => FILE_NAME.test(name));
    } catch (error) {
      throw toUnavailableFault(folder, error);
    }
  }

  return {
    names: listNames,
    async ofBranch(branch, fileNames) {
      const wanted = toFolderName(branch);
      const ownNames = fileNames.filter((name) => FILE_NAME.exec(name)?.[2] === wanted);
      const records = await Promise.all(ownNames.map((name) => readRecord(join(folder, name))));
      return records.sort((one, other) => other.number - one.number);
    },
    async byNumber(number) {
      const name = (await listNames()).find((candidate) => parseFileNumber(candidate) === number);
      if (name === undefined)
        throw new LegionError('forge.pull_request_missing', `Pull request ${number} does not exist`);
      return readRecord(join(folder, name));
    },
    async all() {
      const outcomes = await Promise.allSettled(
        (await listNames()).map((name) => readRecord(join(folder, name))),
      );
      const broken = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
      return {
        readable: outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])),
        broken,
      };
    },
    write: (record) =>
      writeRecordFile(getFile(record.number, record.branch), `${JSON.stringify(record, undefined, 2)}\n`),
    async nextNumber() {
      // The number is stored before it is used: a crash leaves a gap, and the number of a deleted
      // record is not used again.
      const next =
        Math.max(
          await readLastNumber(join(folder, LAST_NUMBER_FILE)),
          0,
          ...(await listNames()).map(parseFileNumber),
        ) + 1;
      await writeRecordFile(join(folder, LAST_NUMBER_FILE), `${next}\n`);
      return next;
    },
  };
}

function writeRecordFile(path: string, text: string): Promise<void> {
  return withForgeFaults(path, () => writeDurably(path, text));
}

function parseFileNumber(name: string): number {
  return Number(FILE_NAME.exec(name)?.[1]);
}

async function readLastNumber(path: string): Promise<number> {
  const text = await readText(path);
  if (text === undefined) return 0;
  const number = Number(text);
  if (text.trim() !== '' && Number.isSafeInteger(number)) return number;
  throw new LegionError('forge.record_broken', `${path} does not contain a number`);
}

async function readRecord(path: string): Promise<PullRequestRecord> {
  const text = await readText(path);
  if (text === undefined) throw new LegionError('forge.record_broken', `${path} no longer exists`);
  const record = decode(recordSchema, parseRecord(text, path), 'pullRequest');
  if (!record.ok) throw new LegionError('forge.record_broken', `${path}: ${record.fault.message}`);
  const { number, branch } = record.value;
  if (path.endsWith(`/${number}.${toFolderName(branch)}.json`)) return record.value;
  throw new LegionError(
    'forge.record_broken',
    `${path} contains the record of another pull request: ${number}`,
  );
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw toUnavailableFault(path, error);
  }
}

function parseRecord(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new LegionError('forge.record_broken', `${path}: ${why}`, { cause: error });
  }
}

const sha = z.string().regex(SHA, 'is not a commit');
const number = z.int().positive();
const at = z.number();

const checked = { headSha: sha, baseSha: sha };

/**
 * The stored record of one pull request. Commits are not stored, because git is the source of truth
 * for them.
 */
const recordSchema = z.strictObject({
  format: z.literal(1),
  number,
  branch: z.string().min(1),
  issue: issueIdSchema,
  author: z.string().min(1),
  title: z.string().min(1),
  body: z.string(),
  draft: z.boolean(),
  openedAt: at,
  labels: z.array(z.string()),
  reviews: z.array(
    z.strictObject({
      reviewer: z.string().min(1),
      verdict: z.enum(['approved', 'changes_requested']),
      sha,
      text: z.string(),
      at,
    }),
  ),
  comments: z.array(z.strictObject({ key: z.string().min(1), text: z.string(), at })),
  /** The pull request that this one undoes. */
  reverts: number.optional(),
  /**
   * Changes from `open` to `merged` or `closed`, which are final. Merge commits are recorded before
   * the base moves: if after a crash the base contains a recorded commit, this pull request is
   * merged.
   */
  state: z.enum(['open', 'closed', 'merged']),
  attempts: z.array(z.strictObject({ commit: sha, ...checked })),
  merged: z.strictObject({ commit: sha, ...checked, at }).optional(),
});

export type PullRequestRecord = z.infer<typeof recordSchema>;
export type MergeAttempt = PullRequestRecord['attempts'][number];
