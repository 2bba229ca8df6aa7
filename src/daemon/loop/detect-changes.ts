/** Detects changes that people made on the board and records them as events. */
import type { EventBody } from '../../core/model/event.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { ObservedIssue } from '../../core/model/observed-issue.ts';
import { computeEffectiveLabels } from '../../core/state/effective-labels.ts';
import { computeChargedSpending } from '../../core/state/spending.ts';
import type { IssueRecord, LegionState, WorkerRecord } from '../../core/state/state.ts';
import { listIssueWorkers } from '../../core/state/workers.ts';

const BY = 'a person who removed legion-paused from the issue';

/** Resets the counters that led to a pause when a person removes `legion-paused` from an issue. */
export function detectManualUnpause(
  state: LegionState,
  board: readonly ObservedIssue[],
  now: number,
): EventBody[] {
  return board.flatMap(({ issue }) => {
    const record = state.issues.get(issue.id);
    if (record?.decision?.reason !== 'paused') return [];
    if (computeEffectiveLabels(issue.labels, state, issue.id).has('legion-paused')) return [];
    // If the issue was resumed by a command, the command reset the counters before it removed the
    // label, so nothing is left to reset.
    return isCounted(state, record, now) ? buildCounterResets(state, issue.id, BY) : [];
  });
}

function isCounted(state: LegionState, { issue, rounds, evidence }: IssueRecord, now: number): boolean {
  const hasRun = Object.values(evidence).every(({ verdict }) => verdict !== 'could_not_run');
  const workers = listIssueWorkers(state, issue);
  const hasFailed = workers.some(({ failedLives }) => failedLives.length > 0);
  return Object.keys(rounds).length > 0 || !hasRun || hasFailed || hasSpent(workers, now);
}

function hasSpent(workers: readonly WorkerRecord[], now: number): boolean {
  const { wallMs, turns, tokens, usd } = computeChargedSpending(workers, 'implement', now).issue;
  return wallMs > 0 || turns > 0 || tokens > 0 || usd > 0;
}

/**
 * Resets everything that can lead to a pause: the issue's rounds, its checks that could not run,
 * its workers' failed attempts and their spending.
 */
export function buildCounterResets(state: LegionState, issue: string, by: string): EventBody[] {
  const record = state.issues.get(issue);
  const rounds: EventBody[] =
    record === undefined ? [] : [{ type: 'rounds.reset', issue, generation: record.generation + 1, by }];
  const crashes = listIssueWorkers(state, issue).map(
    ({ mode, crashGeneration }): EventBody => ({
      type: 'crashes.reset',
      issue,
      mode,
      generation: crashGeneration + 1,
      by,
    }),
  );
  return [...rounds, ...crashes];
}

/** Titles are only displayed, so longer ones are truncated. */
const MAX_TITLE_CHARS = 300;

/**
 * Records board changes that are not in the journal yet, so that the board at any past time can be
 * reconstructed from it. `asked` lists the issues that were requested, or is `all`. An issue that
 * was requested but not found has left the board.
 */
export function recordBoardChanges(
  state: LegionState,
  observed: readonly ObservedIssue[],
  asked: 'all' | Iterable<IssueId>,
): EventBody[] {
  const found = new Set(observed.map(({ issue }) => issue.id));
  const gone = [...(asked === 'all' ? state.board.keys() : asked)].filter((issue) => !found.has(issue));
  return [
    ...observed.flatMap((each) => recordSighting(state, each)),
    ...gone.flatMap((issue) => recordDeparture(state, issue)),
  ];
}

function recordSighting({ board }: LegionState, { issue, status }: ObservedIssue): EventBody[] {
  const { id, column } = issue;
  const title = issue.title.slice(0, MAX_TITLE_CHARS);
  const before = board.get(id);
  const isKnown =
    before?.left === undefined &&
    before?.title === title &&
    before.status === status &&
    before.column === column;
  if (isKnown) return [];
  return [{ type: 'issue.sighted', issue: id, sight: (before?.sight ?? 0) + 1, title, status, column }];
}

function recordDeparture({ board }: LegionState, issue: IssueId): EventBody[] {
  const before = board.get(issue);
  if (before === undefined || before.left === true) return [];
  return [{ type: 'issue.left', issue, sight: before.sight + 1 }];
}
