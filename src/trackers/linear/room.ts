/** What the parts of the tracker share: the client, what is remembered, and what is configured. */

import type { ColumnNames } from '../../core/model/status.ts';
import type { Clock } from '../../domain/clock.ts';
import type { TeamPartsFragment } from '../../integrations/linear/generated/tracker.ts';
import type { Board } from '../../integrations/linear/tracker/board.ts';
import type { LinearClient } from '../../linear/client.ts';
import type { AuthorPolicy } from '../author-policy.ts';
import type { KnownIssues } from './known-issues.ts';
import type { TeamLabels } from './team-labels.ts';
import type { About } from './to-issue.ts';

export interface Room {
  readonly client: LinearClient;
  readonly clock: Pick<Clock, 'now'>;
  /** UUID of the account Legion acts as. */
  readonly viewer: string;
  /** The id of the legion, so that two of them never make the same. */
  readonly legion: string;
  /** UUID of the team whose issues are the board. */
  readonly team: string;
  readonly columns: () => ColumnNames;
  readonly policy: () => AuthorPolicy;

  readonly board: Board;
  readonly known: KnownIssues;
  readonly labels: TeamLabels;
}

/** What an issue is told by, with the states of its team as they are now. */
export function aboutIn(
  { team, viewer, columns, policy }: Room,
  { states }: Pick<TeamPartsFragment, 'states'>,
): About {
  const byId = new Map(states.nodes.map((state) => [state.id, state]));
  return { team, viewer, names: columns(), policy: policy(), states: byId };
}
