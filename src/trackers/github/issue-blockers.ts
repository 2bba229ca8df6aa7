/** What one issue waits for: those that are open, and those of which GitHub does not say whether they are. */
import type { IssueProblem } from '../../domain/issue.ts';
import { type IssuePlace, placeKey } from '../../integrations/github/client/issue-reference.ts';
import { unreadableBlocker, unreadableDependencies } from './issue-problems.ts';

export interface IssueBlockers {
  /** Also those that may not be read: only their end is known to end the wait. */
  readonly open: readonly IssuePlace[];
  readonly problems: readonly IssueProblem[];
}

export const NO_BLOCKERS: IssueBlockers = { open: [], problems: [] };

interface BlockersKnown {
  readonly isOpen: (place: IssuePlace) => boolean;
  /** By the keys of places. */
  readonly unreadable: ReadonlyMap<string, string>;
  /** Why GitHub's own dependencies of the issue could not be read. */
  readonly dependencyProblem: string | undefined;
}

export function blockersAmong(
  places: readonly IssuePlace[],
  { isOpen, unreadable, dependencyProblem }: BlockersKnown,
): IssueBlockers {
  const problems = places.flatMap((place) => {
    const reason = unreadable.get(placeKey(place));
    return reason === undefined ? [] : [unreadableBlocker(place, reason)];
  });
  if (dependencyProblem !== undefined) problems.push(unreadableDependencies(dependencyProblem));
  return {
    open: places.filter((place) => unreadable.has(placeKey(place)) || isOpen(place)),
    problems,
  };
}

export function distinctPlaces(places: readonly IssuePlace[]): readonly IssuePlace[] {
  return [...new Map(places.map((place) => [placeKey(place), place])).values()];
}
