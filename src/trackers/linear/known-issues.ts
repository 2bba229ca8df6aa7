/** Which issue a name of Linear's means, as it was last seen. */
import { type IssueId, readIssueId } from '../../core/model/ids.ts';
import type { LinearIssue } from './linear-issue.ts';

export interface KnownIssues {
  /** These are all that are on the board. */
  replace(seen: readonly Pick<LinearIssue, 'id' | 'identifier'>[]): void;
  /** By UUID or identifier. */
  idOf(tracked: string): IssueId | undefined;
  uuidOf(id: IssueId): string | undefined;
  /** Issues that cannot have an id of Legion's, each with the reason. */
  setAside(): readonly string[];
}

export function openKnownIssues(): KnownIssues {
  let idByUuid: ReadonlyMap<string, IssueId> = new Map();
  let uuidById: ReadonlyMap<IssueId, string> = new Map();
  let aside: readonly string[] = [];

  return {
    replace(seen) {
      const good = seen.filter(({ identifier }) => readIssueId(identifier).ok);
      idByUuid = new Map(good.map(({ id, identifier }) => [id, identifier]));
      uuidById = new Map(good.map(({ id, identifier }) => [identifier, id]));
      aside = seen.flatMap(({ id, identifier }) => {
        const read = readIssueId(identifier);
        return read.ok ? [] : [`the issue ${id} is left alone: ${read.fault.message}`];
      });
    },
    idOf: (tracked) => idByUuid.get(tracked) ?? (uuidById.has(tracked) ? tracked : undefined),
    uuidOf: (id) => uuidById.get(id),
    setAside: () => aside,
  };
}
