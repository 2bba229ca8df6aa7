/**
 * Checks each issue's path: the issue moves step by step, its work lands once with all required
 * evidence, and it stays on the board.
 */

import type { Event, EventOf } from '../core/model/event.ts';
import type { IssueId } from '../core/model/ids.ts';
import type { BoardView } from '../daemon/context/board-view.ts';
import type { SimBoard } from './board.ts';
import type { SimRepository } from './code.ts';
import type { SimForge } from './forge.ts';
import type { SimJournal } from './journal.ts';
import type { SimulationLog } from './log.ts';
import type { SimTime } from './time.ts';

/** Allowed moves from each column. Any other move would skip a step. */
const ALLOWED_MOVES: Readonly<Record<string, readonly string[]>> = {
  Triage: ['Icebox', 'Backlog', 'Todo'],
  Icebox: ['Backlog'],
  Backlog: ['Todo'],
  Todo: ['In Progress'],
  'In Progress': ['Testing'],
  Testing: ['Needs Review', 'In Progress'],
  'Needs Review': ['Retro', 'In Progress'],
  Retro: ['Done', 'Needs Review', 'Testing', 'In Progress'],
};

/** Parts of the simulated world that the rules inspect. */
interface InspectedWorld {
  readonly journal: SimJournal;
  readonly forge: SimForge;
  readonly code: SimRepository;
  readonly board: SimBoard;
}

export class BoardRules {
  readonly #log: SimulationLog;
  readonly #merged = new Map<IssueId, string>();
  /**
   * Times at which each issue last entered implementation and last had a retro. Measured in
   * simulated elapsed time, which clock jumps do not affect.
   */
  readonly #inProgressAt = new Map<IssueId, number>();
  readonly #retroAt = new Map<IssueId, number>();

  readonly #time: SimTime;

  constructor(log: SimulationLog, time: SimTime) {
    this.#log = log;
    this.#time = time;
  }

  /** Checks that no phase is skipped. */
  checkMove(issue: IssueId, from: string, to: string): void {
    this.#log.record(`${issue} moved from ${from} to ${to}`);
    if (to === 'In Progress') this.#inProgressAt.set(issue, this.#time.elapsed);
    if (ALLOWED_MOVES[from]?.includes(to) !== true)
      this.#log.recordViolation(`${issue} went from ${from} to ${to}`);
    if (to === 'Done' && !this.#merged.has(issue))
      this.#log.recordViolation(`${issue} is Done but none of its work has landed`);
  }

  /**
   * Checks that no merge with valid evidence is refused. Otherwise the merger would send back work
   * that needs no change.
   */
  checkRefusedMerge({ journal, forge, code }: InspectedWorld, issue: IssueId, message: string): void {
    this.#log.record(`the merge of ${issue} is refused: ${message}`);
    const head = code.branches.get(issue) ?? '';
    const test = findLastEvidence(journal, issue, 'test');
    if (message.includes('evidence.test=void') && test !== undefined && isProofValidAt(code, test.sha, head))
      this.#log.recordViolation(
        `${issue} was refused because of its tests, although its own patch has not changed`,
      );
    const review = forge.entries.findLast(({ branch }) => branch === issue)?.reviews.at(-1);
    if (message.includes('(review=none)') && review !== undefined && isProofValidAt(code, review.sha, head))
      this.#log.recordViolation(
        `${issue} was refused because of its review, although its own patch has not changed`,
      );
  }

  recorded(event: Event): void {
    if (event.type === 'evidence.recorded' && event.kind === 'retro')
      this.#retroAt.set(event.issue, this.#time.elapsed);
  }

  /** Checks that work gets only one retro, unless it returns to implementation. */
  checkRetro(issue: IssueId): void {
    if (this.#hasRetro(issue)) this.#log.recordViolation(`${issue} has a second retro`);
  }

  #hasRetro(issue: IssueId): boolean {
    const at = this.#retroAt.get(issue);
    return at !== undefined && at >= (this.#inProgressAt.get(issue) ?? 0);
  }

  /** Checks that an incomplete read of the board does not make issues disappear. */
  checkBoardView(boardView: BoardView, { board }: Pick<InspectedWorld, 'board'>): void {
    if (!boardView.isRead) return;
    for (const id of board.cards.keys()) {
      if (boardView.find(id) === undefined)
        this.#log.recordViolation(`${id} is on the board but counted as gone`);
    }
  }

  /** Checks that nothing lands untested, unreviewed, with failing checks, or twice. */
  checkLandedMerge({ journal, forge, code, board }: InspectedWorld, issue: IssueId, sha: string): void {
    this.#log.record(`${issue} landed as ${sha}`);
    if (this.#merged.has(issue)) this.#log.recordViolation(`${issue} landed twice`);
    this.#merged.set(issue, sha);
    const entry = forge.entries.findLast(({ branch }) => branch === issue);
    const head = entry?.merged?.headSha ?? '';
    const isValid = (at: string) => isProofValidAt(code, at, head);
    const labels = board.cards.get(issue)?.labels ?? new Set();
    const approval = findMergeApproval(journal, issue);
    // A recorded approval must be valid at the head, and the board must show it. If no approval is
    // recorded, the label alone is enough, because people may also approve by label.
    const isApproved =
      labels.has('human-approved') &&
      (approval === undefined || (approval.sha !== undefined && isValid(approval.sha)));
    if (labels.has('feature') && !isApproved)
      this.#log.recordViolation(`${issue} is a feature and landed without a person's approval`);
    const test = findLastEvidence(journal, issue, 'test');
    if (test?.verdict !== 'passed' || !isValid(test.sha))
      this.#log.recordViolation(`${issue} landed without passing tests at its head`);
    if (!this.#hasRetro(issue))
      this.#log.recordViolation(`${issue} landed without a retro of its last implementation`);
    if (forge.checkedAs(head) === 'failing') this.#log.recordViolation(`${issue} landed with failing checks`);
    const review = entry?.reviews.at(-1);
    if (review?.verdict !== 'approved' || !isValid(review.sha))
      this.#log.recordViolation(`${issue} landed without approval`);
  }
}

function findLastEvidence({ events }: SimJournal, issue: IssueId, kind: 'test') {
  return events.findLast(
    (event): event is EventOf<'evidence.recorded'> =>
      event.type === 'evidence.recorded' && event.issue === issue && event.kind === kind,
  );
}

/** Returns the last recorded approval of the merge, unless a person rejected the work after it. */
function findMergeApproval({ events }: SimJournal, issue: IssueId): EventOf<'approval.given'> | undefined {
  const last = events.findLast(
    (event): event is EventOf<'approval.given' | 'work.rejected'> =>
      (event.type === 'work.rejected' || (event.type === 'approval.given' && event.of === 'merge')) &&
      event.issue === issue,
  );
  return last?.type === 'approval.given' ? last : undefined;
}

/**
 * Returns whether evidence at an earlier commit is still valid according to the specification.
 * Derived from the simulated repository alone.
 */
function isProofValidAt(code: SimRepository, sha: string, head: string): boolean {
  const change = code.since(sha, head);
  return change !== undefined && [...change.own, ...change.overlap].every(isRetroFile);
}

function isRetroFile(file: string): boolean {
  return file.startsWith('docs/solutions/');
}
