/**
 * Confirms leadership before a workspace is removed. Creating a workspace is not fenced, because it
 * destroys nothing.
 */
import type { IssueId } from '../../../core/model/ids.ts';
import type {
  BaseComparison,
  RemovalResult,
  Workspace,
  WorkspaceChanges,
  WorkspaceMerge,
  WorkspaceStatus,
  Workspaces,
} from '../../../ports/workspace.ts';
import type { Leadership } from '../../context/ledger.ts';

export class FencedWorkspaces implements Workspaces {
  readonly #workspaces: Workspaces;
  readonly #leadership: Leadership;

  constructor(workspaces: Workspaces, leadership: Leadership) {
    this.#workspaces = workspaces;
    this.#leadership = leadership;
  }

  get kind(): Workspaces['kind'] {
    return this.#workspaces.kind;
  }

  buildWorkerEnvironment(own: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    return this.#workspaces.buildWorkerEnvironment(own);
  }

  get snapshotIntervalMs(): Workspaces['snapshotIntervalMs'] {
    return this.#workspaces.snapshotIntervalMs;
  }

  ensure(issue: IssueId, repository: string): Promise<Workspace> {
    return this.#workspaces.ensure(issue, repository);
  }

  find(issue: IssueId): Promise<Workspace | undefined> {
    return this.#workspaces.find(issue);
  }

  readStatus(issue: IssueId): Promise<WorkspaceStatus | undefined> {
    return this.#workspaces.readStatus(issue);
  }

  bringToBase(issue: IssueId): Promise<BaseComparison | undefined> {
    return this.#workspaces.bringToBase(issue);
  }

  changedAt(issue: IssueId): Promise<number | undefined> {
    return this.#workspaces.changedAt(issue);
  }

  snapshot(issue: IssueId): Promise<void> {
    return this.#workspaces.snapshot(issue);
  }

  exportBranch(issue: IssueId): Promise<string | undefined> {
    return this.#workspaces.exportBranch(issue);
  }

  locateChanges(issue: IssueId): Promise<WorkspaceChanges | undefined> {
    return this.#workspaces.locateChanges(issue);
  }

  list(): Promise<readonly Workspace[]> {
    return this.#workspaces.list();
  }

  async remove(issue: IssueId, merge?: WorkspaceMerge): Promise<RemovalResult> {
    await this.#leadership.confirm();
    return this.#workspaces.remove(issue, merge);
  }

  prune(repository: string): Promise<readonly string[]> {
    return this.#workspaces.prune(repository);
  }
}
