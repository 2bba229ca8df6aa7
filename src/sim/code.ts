/** The code of the simulated repository: commits without content, branches, and the workspaces they are made in. */
import type { IssueId } from '../domain/ids.ts';
import type { Removal, Standing, Workspaces } from '../workspaces/workspace.ts';

interface Commit {
  readonly sha: string;
  readonly parent: string | undefined;
  readonly files: readonly string[];
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

  constructor(now: () => number) {
    this.#now = now;
    this.branches.set(BASE, this.commit(undefined, ['README.md']));
  }

  get base(): string {
    return this.branches.get(BASE) ?? '';
  }

  commit(parent: string | undefined, files: readonly string[]): string {
    const sha = (this.#commits.size + 1).toString(16).padStart(40, '0');
    this.#commits.set(sha, { sha, parent, files });
    return sha;
  }

  /** A worker's commit in its workspace. */
  work(issue: IssueId, files: readonly string[]): string {
    const sha = this.commit(this.heads.get(issue) ?? this.base, files);
    this.heads.set(issue, sha);
    this.changedAt.set(issue, this.#now());
    return sha;
  }

  /** Files changed from `since` to `head`; undefined where `since` is not behind `head`. */
  changed(since: string, head: string): readonly string[] | undefined {
    const files = new Set<string>();
    for (let at: string | undefined = head; at !== undefined; at = this.#commits.get(at)?.parent) {
      if (at === since) return [...files].sort();
      for (const file of this.#commits.get(at)?.files ?? []) files.add(file);
    }
    return undefined;
  }

  /** Files of a branch that are not on the base. */
  ahead(head: string): readonly string[] {
    const onBase = new Set<string>();
    for (let at: string | undefined = this.base; at !== undefined; at = this.#commits.get(at)?.parent)
      onBase.add(at);
    const files = new Set<string>();
    for (
      let at: string | undefined = head;
      at !== undefined && !onBase.has(at);
      at = this.#commits.get(at)?.parent
    ) {
      for (const file of this.#commits.get(at)?.files ?? []) files.add(file);
    }
    return [...files].sort();
  }
}

/** `isMerged` tells whether what stands at a commit has arrived in the base. */
export function simWorkspaces(code: Code, isMerged: (sha: string) => boolean): Workspaces {
  const there = new Set<IssueId>();
  const workspaceOf = (issue: IssueId) => ({ issue, path: `/sim/workspaces/${issue}`, branch: issue });
  return {
    kind: 'git-worktree',
    async ensure(issue) {
      there.add(issue);
      if (!code.heads.has(issue)) code.heads.set(issue, code.branches.get(issue) ?? code.base);
      return workspaceOf(issue);
    },
    find: async (issue) => (there.has(issue) ? workspaceOf(issue) : undefined),
    async standing(issue): Promise<Standing | undefined> {
      return there.has(issue) ? { head: code.heads.get(issue) ?? '', uncommitted: [] } : undefined;
    },
    changedAt: async (issue) => (there.has(issue) ? (code.changedAt.get(issue) ?? 0) : undefined),
    list: async () => [...there].sort().map(workspaceOf),
    async remove(issue): Promise<Removal> {
      const head = code.heads.get(issue);
      const isKept = head === undefined || code.ahead(head).length === 0 || isMerged(head);
      if (there.has(issue) && !isKept)
        return { removed: false, holds: [`neither merged nor pushed: ${head}`] };
      there.delete(issue);
      code.heads.delete(issue);
      return { removed: true };
    },
    prune: async () => [],
  };
}
