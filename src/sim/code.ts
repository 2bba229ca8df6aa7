/** The code of the simulated repository: commits with the version of each file, branches, and the workspaces they are made in. */

import type { IssueId } from '../core/model/ids.ts';
import type { Mergeable } from '../core/model/pull-request.ts';
import type { ChangeSince } from '../domain/evidence.ts';

/** The version of each file: the commit that last changed it. */
type Tree = ReadonlyMap<string, string>;

interface Commit {
  readonly sha: string;
  readonly parent: string | undefined;
  readonly tree: Tree;
}

export const BASE = 'main';

export class Code {
  readonly #commits = new Map<string, Commit>();
  /** Where each branch stands on the forge. */
  readonly branches = new Map<string, string>();
  /** Where each workspace stands. */
  readonly heads = new Map<IssueId, string>();

  /** When somebody last worked in each workspace. */
  readonly changedAt = new Map<IssueId, number>();
  readonly #now: () => number;

  /** Every commit that was ever the head of the base, with its place in the line. */
  readonly #baseLine = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
    this.land(this.commit(undefined, ['README.md']));
  }

  get base(): string {
    return this.branches.get(BASE) ?? '';
  }

  /** Moves the base to a commit on top of it. */
  land(sha: string): void {
    this.branches.set(BASE, sha);
    this.#baseLine.set(sha, this.#baseLine.size);
  }

  /** Gives each of the files a new version. */
  commit(parent: string | undefined, files: readonly string[]): string {
    const sha = this.#nextSha();
    return this.#add(parent, new Map(files.map((file) => [file, sha])));
  }

  /** A worker's commit in its workspace. */
  work(issue: IssueId, files: readonly string[]): string {
    return this.#stand(issue, this.commit(this.heads.get(issue) ?? this.base, files));
  }

  /** Puts the work of a workspace onto the newest base. Files that changed on both sides get a version that holds both. */
  rebase(issue: IssueId): string {
    return this.#stand(issue, this.squash(this.heads.get(issue) ?? this.base));
  }

  /** The work of a head as one commit on the newest base. */
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

  /** The commit at which a head left the base. */
  fork(head: string): string {
    let at: string | undefined = head;
    while (at !== undefined && !this.#baseLine.has(at)) at = this.#commits.get(at)?.parent;
    return at ?? '';
  }

  /** Commits of the base that a head does not have. */
  behind(head: string): number {
    return this.#baseLine.size - 1 - (this.#baseLine.get(this.fork(head)) ?? 0);
  }

  /** Files of a branch that differ from where it left the base. */
  ahead(head: string): readonly string[] {
    return [...this.#changes(this.fork(head), head).keys()].sort();
  }

  /** Of the files that changed on both sides, those whose changes do not fit together: every other pair of versions. */
  conflicts(head: string): readonly string[] {
    const incoming = this.#changes(this.fork(head), this.base);
    return [...this.#changes(this.fork(head), head)]
      .filter(([file, version]) => clash(version, incoming.get(file)))
      .map(([file]) => file);
  }

  mergeable(head: string): Mergeable {
    return this.conflicts(head).length === 0 ? 'mergeable' : 'conflicting';
  }

  /** As a forge tells it; undefined where a commit is not there. */
  since(sha: string, head: string): ChangeSince | undefined {
    if (!this.has(sha) || !this.has(head)) return undefined;
    const [then, now] = [this.fork(sha), this.fork(head)];
    if (then === now || then === sha)
      return { own: [...this.#changes(sha, head).keys()].sort(), overlap: [], rebased: false };
    const [before, after] = [this.#changes(then, sha), this.#changes(now, head)];
    const incoming = this.#changes(then, now);
    const touched = [...new Set([...before.keys(), ...after.keys()])].sort();
    return {
      own: touched.filter((file) => !incoming.has(file) && before.get(file) !== after.get(file)),
      overlap: touched.filter((file) => incoming.has(file)),
      rebased: true,
    };
  }

  #stand(issue: IssueId, sha: string): string {
    this.heads.set(issue, sha);
    this.changedAt.set(issue, this.#now());
    return sha;
  }

  #nextSha(): string {
    return (this.#commits.size + 1).toString(16).padStart(40, '0');
  }

  #add(parent: string | undefined, changed: Tree): string {
    const sha = this.#nextSha();
    this.#commits.set(sha, { sha, parent, tree: new Map([...this.#treeOf(parent), ...changed]) });
    return sha;
  }

  #treeOf(sha: string | undefined): Tree {
    return this.#commits.get(sha ?? '')?.tree ?? new Map();
  }

  /** Files whose version differs, with that of the later commit. */
  #changes(from: string, to: string): Tree {
    const before = this.#treeOf(from);
    const after = [...this.#treeOf(to)].filter(([file, version]) => before.get(file) !== version);
    return new Map(after);
  }
}

function clash(ours: string, theirs: string | undefined): boolean {
  return theirs !== undefined && (Number.parseInt(ours, 16) + Number.parseInt(theirs, 16)) % 2 === 0;
}
