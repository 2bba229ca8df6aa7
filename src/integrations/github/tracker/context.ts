/**
 * The context shared by the parts of the GitHub tracker (client, caches and configuration), and the
 * known issues by id.
 */
import type { Clock } from '../../../core/model/clock.ts';
import { type IssueId, readIssueId } from '../../../core/model/ids.ts';
import type { Issue } from '../../../core/model/issue.ts';
import type { ColumnNames } from '../../../core/model/status.ts';
import type { AuthorPolicy } from '../../tracker-support/issue-input.ts';
import type { GithubClient } from '../client/client.ts';
import {
  compareIssueReferences,
  formatIssueReference,
  type IssueReference,
  isSameRepository,
  toIssueReferenceKey,
} from '../client/issue-reference.ts';
import type { GithubAuthors } from '../client/permissions.ts';
import type { IsLegion } from '../client/published-text.ts';
import type { RepositoryLabels } from '../client/repository-labels.ts';
import type { BlockerStates } from './blockers.ts';
import type { GithubBoard } from './board.ts';
import type { FieldNames } from './board-requests.ts';
import type { ProjectFields } from './board-view.ts';
import type { IssueContents } from './contents.ts';
import type { IssueDependencies } from './dependencies.ts';

export interface GithubTrackerContext {
  readonly client: GithubClient;
  readonly clock: Pick<Clock, 'now'>;
  readonly isLegion: IsLegion;
  readonly fields: FieldNames;
  readonly columns: () => ColumnNames;
  readonly repositories: () => readonly string[];
  readonly policy: () => AuthorPolicy;

  /** If an issue is on several boards, the first of them determines its column. */
  readonly boards: readonly GithubBoard[];
  readonly contents: IssueContents;
  readonly known: KnownIssues;
  readonly authors: GithubAuthors;
  readonly dependencies: IssueDependencies;
  readonly states: BlockerStates;
  readonly labels: RepositoryLabels;

  /** Lists the issues of the boards. Concurrent calls run one at a time. */
  readonly list: (signal: AbortSignal) => Promise<readonly Issue[]>;
  /** Stores the findings of the last list other than its issues. */
  readonly setBoardNotes: (notes: BoardNotes) => void;
  readonly boardNotes: () => BoardNotes | undefined;
}

export interface BoardNotes {
  /** Fields of each board, in the order of the boards. */
  readonly boards: readonly ProjectFields[];
  /** Number of items that Legion does not have permission to see. */
  readonly redacted: number;
  /** The reason for each issue that is left out because GitHub never showed it. */
  readonly refused: readonly string[];
}

/** Returns GitHub's ids of the boards. If the ids are unknown, lists the boards first. */
export async function readProjectIds(
  context: GithubTrackerContext,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (context.boardNotes() === undefined) await context.list(signal);
  return context.boardNotes()?.boards.map(({ project }) => project) ?? [];
}

export interface KnownIssue {
  readonly id: IssueId;
  readonly reference: IssueReference;
  /** GitHub's node id of the issue. */
  readonly node: string;
}

/**
 * An issue as a webhook identifies it: by repository and number, or by the node id of the issue or
 * of its board item.
 */
export type IssueHint = IssueReference | { readonly node: string };

export interface KnownIssues {
  of(id: IssueId): KnownIssue | undefined;
  /**
   * Adds issues that were read. Issues of configured repositories come first, so that id conflicts
   * are always resolved the same way.
   */
  learn(issues: readonly Omit<KnownIssue, 'id'>[], repositories: readonly string[]): void;
  /** Stores which issue each board item shows, by their node ids. */
  learnItems(items: ReadonlyMap<string, string>): void;
  /** Returns the node id of the issue that a board item showed when it was last read. */
  nodeOfItem(item: string): string | undefined;
  idOf(hint: IssueHint): IssueId | undefined;
  /**
   * Returns undefined if the reference does not give a valid id, or if the id belongs to another
   * issue.
   */
  idAt(reference: IssueReference): IssueId | undefined;
  /** Returns the reason for each issue that is ignored because it cannot have an id. */
  ignored(): readonly string[];
}

/**
 * Maps issue ids to issues as they were read; ids are never parsed. Two issues may map to the same
 * id, such as `a-b/c#1` and `a/b-c#1`. The first keeps the id, and the second is ignored and
 * reported as a problem: working on one under the other's id would be worse than not working on it.
 * Ids are compared case-insensitively, as worker ids are.
 */
export function openKnownIssues(): KnownIssues {
  const byId = new Map<string, KnownIssue>();
  const idByNode = new Map<string, IssueId>();
  let nodeByItem: ReadonlyMap<string, string> = new Map();
  const ignored = new Map<string, string>();

  function rememberIssue(reference: IssueReference, node: string): void {
    const id = toIssueId(reference);
    const readable = readIssueId(id);
    const known = byId.get(id.toLowerCase());
    if (!readable.ok) {
      ignored.set(
        toIssueReferenceKey(reference),
        `${formatIssueReference(reference)} is ignored: ${readable.fault.message}`,
      );
    } else if (
      known === undefined ||
      toIssueReferenceKey(known.reference) === toIssueReferenceKey(reference)
    ) {
      byId.set(id.toLowerCase(), { id: known?.id ?? id, reference, node });
      idByNode.set(node, known?.id ?? id);
    } else {
      const why = `its id ${id} belongs to ${formatIssueReference(known.reference)}`;
      ignored.set(toIssueReferenceKey(reference), `${formatIssueReference(reference)} is ignored: ${why}`);
    }
  }

  function findId(reference: IssueReference): IssueId | undefined {
    const id = toIssueId(reference);
    const known = byId.get(id.toLowerCase());
    if (known !== undefined)
      return toIssueReferenceKey(known.reference) === toIssueReferenceKey(reference) ? known.id : undefined;
    return readIssueId(id).ok ? id : undefined;
  }

  return {
    of: (id) => {
      const known = byId.get(id.toLowerCase());
      return known?.id === id ? known : undefined;
    },
    learn(issues, repositories) {
      const rank = ({ owner, repo }: IssueReference) => {
        const at = repositories.findIndex((name) => isSameRepository(name, `${owner}/${repo}`));
        return at < 0 ? repositories.length : at;
      };
      const sorted = issues.toSorted(
        (a, b) => rank(a.reference) - rank(b.reference) || compareIssueReferences(a.reference, b.reference),
      );
      for (const { reference, node } of sorted) rememberIssue(reference, node);
    },
    learnItems(items) {
      nodeByItem = items;
    },
    nodeOfItem: (item) => nodeByItem.get(item),
    idOf(hint) {
      if ('node' in hint) return idByNode.get(nodeByItem.get(hint.node) ?? hint.node);
      const known = byId.get(toIssueId(hint).toLowerCase());
      return known !== undefined && toIssueReferenceKey(known.reference) === toIssueReferenceKey(hint)
        ? known.id
        : undefined;
    },
    idAt: findId,
    ignored: () => [...ignored.values()],
  };
}

function toIssueId({ owner, repo, number }: IssueReference): IssueId {
  return `${owner}-${repo}-${number}`;
}
