/** Simulates the repository: commits that hold a version of each file, branches, and workspaces. */
import type { ChangeSince } from '../core/model/evidence.ts';
import type { IssueId } from '../core/model/ids.ts';
import type { MergeableStatus } from '../core/model/pull-request.ts';

/** Version of each file, named by the commit that last changed it. */
type FileVersions = ReadonlyMap<string, string>;

interface SimCommit {
  readonly sha: string;
  readonly parent: string | undefined;
  readonly tree: FileVersions;
}

export const BASE_BRANCH = 'main';

export class SimRepository {
  readonly #commits = new Map<string, SimCommit>();
  /** Head of each branch on the forge. */
  readonly branches = new Map<string, string>();
  /** Head of each workspace. */
  readonly heads = new Map<IssueId, string>();

  /** Time of the last change in each workspace. */
  readonly changedAt = new Map<IssueId, number>();
  readonly #now: () => number;

  /** Every commit that was ever the head of the base, with its position in the base's history. */
  readonly #baseLine = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
    this.land(this.commit(undefined, ['README.md']));
  }

  get base(): string {
    return this.branches.get(BASE_BRANCH) ?? '';
  }

  /** Moves the base to a commit that builds on it. */
  land(sha: string): void {
    this.branches.set(BASE_BRANCH, sha);
    this.#baseLine.set(sha, this.#baseLine.size);
  }

  /** Commits a new version of each file. */
  commit(parent: string | undefined, files: readonly string[]): string {
    const sha = this.#nextSha();
    return this.#add(parent, new Map(files.map((file) => [file, sha])));
  }

  /** Commits a worker's changes in its workspace. */
  work(issue: IssueId, files: readonly string[]): string {
    return this.#setHead(issue, this.commit(this.heads.get(issue) ?? this.base, files));
  }

  /**
   * Rebases a workspace onto the newest base. A file changed on both sides gets a version that
   * combines both.
   */
  rebase(issue: IssueId): string {
    return this.#setHead(issue, this.squash(this.heads.get(issue) ?? this.base));
  }

  /** Squashes the work of a head into one commit on the newest base. */
  squash(head: string): string {
    const incoming = this.#changes(this.fork(head), this.base);
    const sha = this.#nextSha();
    const own = [...this.#changes(this.fork(head), head)].map(([file, version]): [string, string] => [
      file,
      incoming.has(file) ? sha : version,
    ]);
    return this.#add(this.base, new Map(own));
  }

  has(sha: string): boolean {
    return this.#commits.has(sha);
  }

  /** Returns the commit at which a head branched off the base. */
  fork(head: string): string {
    let at: string | undefined = head;
    while (at !== undefined && !this.#baseLine.has(at)) at = this.#commits.get(at)?.parent;
    return at ?? '';
  }

  /** Counts the commits of the base that a head does not have. */
  behind(head: string): number {
    return this.#baseLine.size - 1 - (this.#baseLine.get(this.fork(head)) ?? 0);
  }

  /** Lists files of a branch that differ from its fork point. */
  ahead(head: string): readonly string[] {
    return [...this.#changes(this.fork(head), head).keys()].sort();
  }

  /**
   * Lists files that conflict because both sides changed them. Half of all pairs of versions are
   * treated as conflicting.
   */
  conflicts(head: string): readonly string[] {
    const incoming = this.#changes(this.fork(head), this.base);
    return [...this.#changes(this.fork(head), head)]
      .filter(([file, version]) => isConflicting(version, incoming.get(file)))
      .map(([file]) => file);
  }

  mergeable(head: string): MergeableStatus {
    return this.conflicts(head).length === 0 ? 'mergeable' : 'conflicting';
  }

  /** Compares two commits as a forge does. Undefined if a commit is missing. */
  since(sha: string, head: string): ChangeSince | undefined {
    if (!this.has(sha) || !this.has(head)) return undefined;
    const [mergeBaseBefore, mergeBaseNow] = [this.fork(sha), this.fork(head)];
    if (mergeBaseBefore === mergeBaseNow || mergeBaseBefore === sha)
      return { own: [...this.#changes(sha, head).keys()].sort(), overlap: [], rebased: false };
    const [before, after] = [this.#changes(mergeBaseBefore, sha), this.#changes(mergeBaseNow, head)];
    const incoming = this.#changes(mergeBaseBefore, mergeBaseNow);
    const changedFiles = [...new Set([...before.keys(), ...after.keys()])].sort();
    return {
      own: changedFiles.filter((file) => !incoming.has(file) && before.get(file) !== after.get(file)),
      overlap: changedFiles.filter((file) => incoming.has(file)),
      rebased: true,
    };
  }

  #setHead(issue: IssueId, sha: string): string {
    this.heads.set(issue, sha);
    this.changedAt.set(issue, this.#now());
    return sha;
  }

  #nextSha(): string {
    return (this.#commits.size + 1).toString(16).padStart(40, '0');
  }

  #add(parent: string | undefined, changed: FileVersions): string {
    const sha = this.#nextSha();
    this.#commits.set(sha, { sha, parent, tree: new Map([...this.#treeOf(parent), ...changed]) });
    return sha;
  }

  #treeOf(sha: string | undefined): FileVersions {
    return this.#commits.get(sha ?? '')?.tree ?? new Map();
  }

  /** Returns files whose version differs, with the version of the later commit. */
  #changes(from: string, to: string): FileVersions {
    const before = this.#treeOf(from);
    const after = [...this.#treeOf(to)].filter(([file, version]) => before.get(file) !== version);
    return new Map(after);
  }
}

function isConflicting(ours: string, theirs: string | undefined): boolean {
  return theirs !== undefined && (Number.parseInt(ours, 16) + Number.parseInt(theirs, 16)) % 2 === 0;
}

/** File that more than one issue may change. */
export const SHARED_FILE = 'src/shared.ts';

export function toIssueFile(issue: string): string {
  return `src/${issue}.ts`;
}
