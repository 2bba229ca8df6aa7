/** What the journal does not know yet of how the board looks: the board of any moment is told from it. */
import type { EventBody } from '../core/model/event.ts';
import type { IssueId } from '../core/model/ids.ts';
import type { SeenIssue } from '../core/state/observation.ts';
import type { Swarm } from '../core/state/state.ts';

/** A title is shown, not worked with; more than this is somebody's mistake. */
const TITLE_MOST = 300;

/** `asked` are the issues that were looked for, or all: one of them that was not found has left. */
export function sightings(
  swarm: Swarm,
  seen: readonly SeenIssue[],
  asked: 'all' | Iterable<IssueId>,
): EventBody[] {
  const found = new Set(seen.map(({ issue }) => issue.id));
  const gone = [...(asked === 'all' ? swarm.board.keys() : asked)].filter((issue) => !found.has(issue));
  return [...seen.flatMap((each) => sighted(swarm, each)), ...gone.flatMap((issue) => left(swarm, issue))];
}

function sighted({ board }: Swarm, { issue, status }: SeenIssue): EventBody[] {
  const { id, column } = issue;
  const title = issue.title.slice(0, TITLE_MOST);
  const before = board.get(id);
  const isKnown =
    before?.left === undefined &&
    before?.title === title &&
    before.status === status &&
    before.column === column;
  if (isKnown) return [];
  return [{ type: 'issue.sighted', issue: id, sight: (before?.sight ?? 0) + 1, title, status, column }];
}

function left({ board }: Swarm, issue: IssueId): EventBody[] {
  const before = board.get(issue);
  if (before === undefined || before.left === true) return [];
  return [{ type: 'issue.left', issue, sight: before.sight + 1 }];
}
