/**
 * The context shared by the parts of the Linear tracker (client, caches and configuration), and the
 * known issues by id.
 */
import type { Clock } from '../../../core/model/clock.ts';
import { type IssueId, readIssueId } from '../../../core/model/ids.ts';
import type { ColumnNames } from '../../../core/model/status.ts';
import type { AuthorPolicy } from '../../tracker-support/issue-input.ts';
import type { LinearClient } from '../client/client.ts';
import type { TeamPartsFragment } from '../generated/tracker.ts';
import type { LinearIssue } from './answer-schemas.ts';
import type { LinearBoard } from './board.ts';
import type { TeamLabels } from './team-labels.ts';
import type { LinearIssueContext } from './to-issue.ts';

export interface LinearTrackerContext {
  readonly client: LinearClient;
  readonly clock: Pick<Clock, 'now'>;
  /** UUID of the account Legion acts as. */
  readonly viewer: string;
  /** Id of the legion. Derived ids include it, so that two legions never create the same object. */
  readonly legion: string;
  /** UUID of the team whose issues are the board. */
  readonly team: string;
  readonly columns: () => ColumnNames;
  readonly policy: () => AuthorPolicy;

  readonly board: LinearBoard;
  readonly known: KnownIssues;
  readonly labels: TeamLabels;
}

/** Returns the context for converting issues, with the team's current states. */
export function buildIssueContext(
  { team, viewer, columns, policy }: LinearTrackerContext,
  { states }: Pick<TeamPartsFragment, 'states'>,
): LinearIssueContext {
  const byId = new Map(states.nodes.map((state) => [state.id, state]));
  return { team, viewer, names: columns(), policy: policy(), states: byId };
}

export interface KnownIssues {
  /** Replaces the known issues with the given ones, which must be the whole board. */
  replace(issues: readonly Pick<LinearIssue, 'id' | 'identifier'>[]): void;
  /** Looks up an id by UUID or identifier. */
  idOf(tracked: string): IssueId | undefined;
  uuidOf(id: IssueId): string | undefined;
  /** Returns the reason for each issue whose identifier is not a valid issue id. */
  ignored(): readonly string[];
}

/** Maps between Linear's UUIDs and issue ids, as last seen. */
export function openKnownIssues(): KnownIssues {
  let idByUuid: ReadonlyMap<string, IssueId> = new Map();
  let uuidById: ReadonlyMap<IssueId, string> = new Map();
  let ignored: readonly string[] = [];

  return {
    replace(issues) {
      const good = issues.filter(({ identifier }) => readIssueId(identifier).ok);
      idByUuid = new Map(good.map(({ id, identifier }) => [id, identifier]));
      uuidById = new Map(good.map(({ id, identifier }) => [identifier, id]));
      ignored = issues.flatMap(({ id, identifier }) => {
        const read = readIssueId(identifier);
        return read.ok ? [] : [`Issue ${id} is ignored: ${read.fault.message}`];
      });
    },
    idOf: (tracked) => idByUuid.get(tracked) ?? (uuidById.has(tracked) ? tracked : undefined),
    uuidOf: (id) => uuidById.get(id),
    ignored: () => ignored,
  };
}
