/** What the suite needs of a forge's world: a repository, workspaces, and a CI that says what the test wants. */
import type { Forge, ForgePullRequest } from '../../../../src/ports/forge.ts';

export interface ForgeHarness {
  /** A forge on a new repository whose base has `README.md` and `app.txt` (ten numbered lines). */
  fresh(options?: { readonly ci?: boolean }): Promise<Forge>;
  /** One more handle on the present repository, as a restarted daemon would have. */
  reopen(): Promise<Forge>;
  readonly hand: Hand;
  /** Closes every handle and removes everything. */
  dispose(): Promise<void>;
}

export type Files = Readonly<Record<string, string | undefined>>;

/** What people and workers do with git, behind the forge's back. */
export interface Hand {
  workspace(branch: string): string;
  /** Commits in the branch's workspace, which is made from the base where it is missing; `undefined` removes a file. */
  commit(branch: string, files: Files): Promise<string>;
  /** Puts the workspace's work onto the present base again, as `git rebase` does. */
  rebase(branch: string): Promise<string>;
  /** Merges the present base into the workspace's branch. */
  mergeBase(branch: string): Promise<string>;
  /** Somebody else's commit on the base. */
  commitToBase(files: Files): Promise<string>;
  baseSha(): Promise<string>;
  readOnBase(path: string): Promise<string | undefined>;
  /** How many commits the base has. */
  baseLength(): Promise<number>;
  messageOf(sha: string): Promise<string>;
  /** Removes the branch from the repository and keeps the workspace's commits. */
  deleteBranch(branch: string): Promise<void>;
  /** What CI says from now on; `running` never ends until another word. */
  ciSays(verdict: 'passed' | 'failed' | 'could_not_run' | 'running'): void;
  /** Lets the time pass after which CI that could not run is tried again. */
  passRetryTime(): void;
}

/** The harness of the running test. */
export type Present = () => ForgeHarness;

/** What of the suite does not hold for a forge, each with the reason. */
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

/** `app.txt` with one line replaced. */
export function withLine(number: number, text: string): string {
  return LINES.with(number - 1, `${text}\n`).join('');
}

/** A pull request as a worker makes it. */
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

/** What changed between an earlier commit and the branch's pull request as it is now. */
export async function changeSince(forge: Forge, branch: string, sha: string): Promise<unknown> {
  return (await forge.changesSince([sha], await read(forge, branch), NEVER)).get(sha);
}

export async function read(forge: Forge, branch: string): Promise<ForgePullRequest> {
  const found = (await forge.pullRequests([branch], NEVER)).get(branch);
  if (typeof found !== 'object') throw new Error(`${branch} has ${found ?? 'no'} pull request`);
  return found;
}
