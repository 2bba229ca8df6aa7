/** The workspaces of the simulated repository. */
import type { IssueId } from '../domain/ids.ts';
import type { BaseStanding, Removal, Standing, Workspaces } from '../workspaces/workspace.ts';
import type { Code } from './code.ts';

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
    async bringToBase(issue): Promise<BaseStanding | undefined> {
      const head = code.heads.get(issue);
      if (!there.has(issue) || head === undefined) return undefined;
      const isFresh = code.ahead(head).length === 0;
      if (isFresh) code.heads.set(issue, code.base);
      return {
        base: 'main',
        ahead: isFresh ? 0 : 1,
        behind: isFresh ? 0 : code.behind(head),
        conflicts: code.conflicts(head),
        uncommitted: [],
        moved: isFresh && head !== code.base,
      };
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
