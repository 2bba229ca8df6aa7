/** What the parts of the tracker share: the client, what is remembered, and what is configured. */

import type { ColumnNames } from '../../core/model/status.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Issue } from '../../domain/issue.ts';
import type { Authors } from '../../github/authors.ts';
import type { GithubClient } from '../../github/client.ts';
import type { IsLegion } from '../../github/own-mark.ts';
import type { RepositoryLabels } from '../../github/repository-labels.ts';
import type { FieldNames } from '../../integrations/github/tracker/board-requests.ts';
import type { Fields } from '../../integrations/github/tracker/board-view.ts';
import type { Contents } from '../../integrations/github/tracker/contents.ts';
import type { AuthorPolicy } from '../author-policy.ts';
import type { BlockerStates } from './blocker-states.ts';
import type { Board } from './board.ts';
import type { Dependencies } from './dependencies.ts';
import type { KnownIssues } from './known-issues.ts';

export interface Room {
  readonly client: GithubClient;
  readonly clock: Pick<Clock, 'now'>;
  readonly isLegion: IsLegion;
  readonly fields: FieldNames;
  readonly columns: () => ColumnNames;
  readonly repositories: () => readonly string[];
  readonly policy: () => AuthorPolicy;

  /** The first is the one whose column counts. */
  readonly boards: readonly Board[];
  readonly contents: Contents;
  readonly known: KnownIssues;
  readonly authors: Authors;
  readonly dependencies: Dependencies;
  readonly states: BlockerStates;
  readonly labels: RepositoryLabels;

  /** Lists, in turn with others. */
  readonly list: (signal: AbortSignal) => Promise<readonly Issue[]>;
  /** What the last list has seen, besides issues. */
  readonly notice: (seen: Noticed) => void;
  readonly noticed: () => Noticed | undefined;
}

export interface Noticed {
  /** The boards in their order. */
  readonly boards: readonly Fields[];
  /** Items that are there but may not be seen. */
  readonly redacted: number;
  /** Why issues are left out that GitHub never showed. */
  readonly refused: readonly string[];
}

/** GitHub's ids of the boards; reads them once where nobody has yet. */
export async function projectsOf(room: Room, signal: AbortSignal): Promise<readonly string[]> {
  if (room.noticed() === undefined) await room.list(signal);
  return room.noticed()?.boards.map(({ project }) => project) ?? [];
}
