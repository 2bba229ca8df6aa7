/** The harness that the conformance suite needs: a repository, workspaces and a controllable CI. */
import type { Forge, ForgePullRequest } from '../../../../src/ports/forge.ts';

export interface ForgeHarness {
  /**
   * Opens a forge on a new repository whose base branch has `README.md` and `app.txt` (ten numbered
   * lines).
   */
  fresh(options?: { readonly ci?: boolean }): Promise<Forge>;
  /** Opens another handle on the current repository, as a restarted daemon would. */
  reopen(): Promise<Forge>;
  readonly hand: Hand;
  /** Closes every handle and removes all files. */
  dispose(): Promise<void>;
}

export type Files = Readonly<Record<string, string | undefined>>;

/** Git operations of people and workers that bypass the forge. */
export interface Hand {
  workspace(branch: string): string;
  /**
   * Commits the files in the branch's workspace. If there is no workspace, creates it from the
   * base. A file set to `undefined` is removed.
   */
  commit(branch: string, files: Files): Promise<string>;
  /** Rebases the workspace's branch onto the current base. */
  rebase(branch: string): Promise<string>;
  /** Merges the current base into the workspace's branch. */
  mergeBase(branch: string): Promise<string>;
  /** Commits to the base as another person. */
  commitToBase(files: Files): Promise<string>;
  baseSha(): Promise<string>;
  readOnBase(path: string): Promise<string | undefined>;
  /** Returns the number of commits on the base. */
  baseLength(): Promise<number>;
  messageOf(sha: string): Promise<string>;
  /** Deletes the branch in the repository and keeps the workspace's commits. */
  deleteBranch(branch: string): Promise<void>;
  /** Sets the result of all CI runs from now on. With `running`, they run until the next call. */
  ciSays(verdict: 'passed' | 'failed' | 'could_not_run' | 'running'): void;
  /** Advances the clock until CI that could not run is due for its retry. */
  passRetryTime(): void;
}

/** Returns the harness of the running test. */
export type Present = () => ForgeHarness;

/** Parts of the suite that do not apply to a forge, each with the reason. */
export type Deviations = Readonly<Partial<Record<'outlivesItsBranch', string>>>;

export const NEVER = new AbortController().signal;
export const NO_COMMIT = '0123456789abcdef0123456789abcdef01234567';

export const TEXT = {
  issue: 'ENG-1',
  title: 'Add a greeting',
  body: 'Closes ENG-1',
  draft: false,
  author: 'eng-1-implement',
};
export const APPROVAL = { reviewer: 'eng-1-review', verdict: 'approved', text: 'Looks right' } as const;

export const LINES = Array.from({ length: 10 }, (_, index) => `line ${index + 1}\n`);

/** Returns `app.txt` with one line replaced. */
export function withLine(number: number, text: string): string {
  return LINES.with(number - 1, `${text}\n`).join('');
}

/** Opens a pull request as a worker does. */
export async function pullRequest(
  { hand }: ForgeHarness,
  forge: Forge,
  branch: string,
  files: Files,
): Promise<{ readonly number: number; readonly headSha: string }> {
  await hand.commit(branch, files);
  const headSha = await forge.push(branch, hand.workspace(branch));
  return { number: await forge.open(branch, TEXT), headSha };
}

/** Returns what changed in the branch's pull request since an earlier commit. */
export async function changeSince(forge: Forge, branch: string, sha: string): Promise<unknown> {
  return (await forge.changesSince([sha], await read(forge, branch), NEVER)).get(sha);
}

export async function read(forge: Forge, branch: string): Promise<ForgePullRequest> {
  const found = (await forge.pullRequests([branch], NEVER)).get(branch);
  if (typeof found !== 'object') throw new Error(`Pull request of ${branch}: ${found ?? 'none'}`);
  return found;
}
