/** Reads the work in a jj workspace: its commits, its uncommitted files and when they changed. */
import { join } from 'node:path';
import { z } from 'zod';
import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import { toPrintableLine } from '../../git/errors.ts';
import { parseJson } from '../../lib/json.ts';
import type { WorkspaceStatus } from '../../ports/workspace.ts';
import { MAX_CHECKED_FILES, readTouchedAt } from '../git-worktree/inspect.ts';
import type { JjRunner } from './runner.ts';

const commitSchema = z.object({
  commit: z.string(),
  change: z.string(),
  description: z.string(),
  /** Seconds since 1970. */
  parents: z.array(z.object({ commit: z.string(), seconds: z.string() })),
  files: z.array(z.string()),
  conflicts: z.array(z.string()),
});

/** The working-copy commit: everything in the workspace that is not ignored. */
export type WorkingCopy = z.infer<typeof commitSchema>;

const TEMPLATE = [
  '"{\\"commit\\":" ++ json(commit_id)',
  '",\\"change\\":" ++ json(change_id)',
  '",\\"description\\":" ++ json(description)',
  '",\\"parents\\":[" ++ parents.map(|p| "{\\"commit\\":" ++ json(p.commit_id()) ++ ",\\"seconds\\":\\"" ++ p.committer().timestamp().format("%s") ++ "\\"}").join(",") ++ "]"',
  '",\\"files\\":[" ++ self.diff().files().map(|f| json(f.path())).join(",") ++ "]"',
  '",\\"conflicts\\":[" ++ self.conflicted_files().map(|f| json(f.path())).join(",") ++ "]}"',
].join(' ++ ');

/** Records the files of the workspace in the operation log, then reads the working-copy commit. */
export async function readWorkingCopy(jj: JjRunner, path: string): Promise<WorkingCopy> {
  await snapshotWorkspace(jj, path);
  const { out } = await jj.inWorkspace(path, ['log', '--no-graph', '-r', '@', '-T', TEMPLATE]);
  return decodeCommit(out, path);
}

function decodeCommit(text: string, subject: string): WorkingCopy {
  const { data } = commitSchema.safeParse(parseJson(text));
  if (data === undefined)
    throw new LegionError('jj.failed', `jj log in ${subject} printed an unknown format`);
  return data;
}

/**
 * Records the files in the operation log. If another workspace rewrote this one's commit, takes over
 * the new version and brings back edits that jj moved aside.
 */
export async function snapshotWorkspace(jj: JjRunner, path: string): Promise<void> {
  try {
    await jj.inWorkspace(path, ['util', 'snapshot']);
  } catch (error) {
    if (!(error instanceof LegionError) || !/working copy is stale/i.test(error.message)) throw error;
    await jj.inWorkspace(path, ['workspace', 'update-stale']);
    await recoverDivergentEdits(jj, path);
  }
}

async function recoverDivergentEdits(jj: JjRunner, path: string): Promise<void> {
  const { out: change } = await jj.inWorkspace(path, ['log', '--no-graph', '-r', '@', '-T', 'change_id']);
  const aside = `divergent() & change_id(${change.trim()}) ~ @`;
  const { out } = await jj.inWorkspace(path, ['log', '--no-graph', '-r', aside, '-T', 'commit_id ++ "\\n"']);
  for (const commit of out.split('\n').filter((line) => line !== ''))
    await jj.inWorkspace(path, ['squash', '--from', commit, '--into', '@', '--use-destination-message']);
}

/** True if the worker has described the working-copy commit, which makes it a finished commit. */
export function isCommitted({ description }: WorkingCopy): boolean {
  return description !== '';
}

/**
 * The last commit of the work. A working-copy commit without a description is not a commit yet: its
 * files are the uncommitted ones.
 */
export function findHead(copy: WorkingCopy): string {
  return isCommitted(copy) ? copy.commit : (copy.parents[0]?.commit ?? copy.commit);
}

export function toWorkspaceStatus(copy: WorkingCopy): WorkspaceStatus {
  const files = isCommitted(copy) ? [] : copy.files;
  const conflicts = copy.conflicts.map((file) => `${file} (conflict)`);
  const merge = !isCommitted(copy) && copy.parents.length > 1 ? ['a merge without a description'] : [];
  return {
    head: findHead(copy),
    uncommitted: [...files.filter((file) => !copy.conflicts.includes(file)), ...conflicts, ...merge].map(
      (line) => toPrintableLine(line),
    ),
  };
}

const SECOND_MS = 1_000;

/** Uses file times, because the time of a snapshot says nothing about when a file changed. */
export async function readJjChangedAt(jj: JjRunner, path: string): Promise<number> {
  const { files, parents } = await readWorkingCopy(jj, path);
  if (files.length > MAX_CHECKED_FILES) return Date.now();
  const times = await Promise.all(files.map((file) => readTouchedAt(path, join(path, file))));
  // Commit times are truncated to the second, so round up in the worker's favour.
  const commits = parents.map(({ seconds }) => (Number(seconds) + 1) * SECOND_MS);
  return Math.max(0, ...commits, ...times);
}

/** A revset for the bookmark of an issue. A plain name could be read as a commit or a pattern. */
function toBookmark(issue: IssueId): string {
  return `bookmarks(exact:${JSON.stringify(issue)})`;
}

/** Returns every commit that the issue's bookmark points to: several if it diverged. */
export async function readBookmarkTargets(jj: JjRunner, store: string, issue: IssueId): Promise<string[]> {
  const { out } = await jj.inStore(store, [
    'log',
    '--no-graph',
    '-r',
    toBookmark(issue),
    '-T',
    'commit_id ++ "\\n"',
  ]);
  return out.split('\n').filter((line) => line !== '');
}

/** Returns one line per commit: its short id and the first line of its description. */
export async function listCommits(jj: JjRunner, store: string, revset: string): Promise<string[]> {
  const template = 'commit_id.short() ++ " " ++ description.first_line() ++ "\\n"';
  const { out } = await jj.inStore(store, ['log', '--no-graph', '-r', revset, '-T', template]);
  return out.split('\n').filter((line) => line !== '');
}
