/**
 * Tracks which issues changed since a pass began, because the data that the pass read about them is
 * outdated.
 */
import type { Event } from '../../core/model/event.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { ObservedIssue } from '../../core/model/observed-issue.ts';
import type { Ledger } from '../context/ledger.ts';

/**
 * Types of events that change neither the board nor a pull request: decisions, recorded board
 * changes and worker bookkeeping.
 */
const UNCHANGING: ReadonlySet<string> = new Set([
  'decision.made',
  'issue.sighted',
  'issue.left',
  'attempt.spent',
  'attempt.exited',
  'attempt.session_paired',
]);

export class ChangeTracker {
  readonly #lastChangeAt = new Map<IssueId, number>();
  readonly #intents = new Map<number, IssueId>();

  constructor(ledger: Ledger) {
    for (const [intent, { command }] of ledger.state.intents) this.#intents.set(intent, command.issue);
    ledger.subscribe((events) => {
      for (const event of events) {
        const issue = this.#issueOf(event);
        if (issue !== undefined) this.#lastChangeAt.set(issue, event.seq);
        this.#follow(event);
      }
    });
  }

  /**
   * Drops issues that changed after version `since` or that other staged appends change, and calls
   * `wake` for each of them. Ignores the pass's own events, because otherwise the pass would repeat
   * endlessly.
   */
  filterUnchanged(
    since: number,
    board: readonly ObservedIssue[],
    wake: (issue: IssueId) => void,
    staged: readonly Event[],
  ): readonly ObservedIssue[] {
    const touching = new Set(staged.map((event) => this.#issueOf(event)));
    return board.filter(({ issue }) => {
      const isFresh = (this.#lastChangeAt.get(issue.id) ?? 0) <= since && !touching.has(issue.id);
      if (!isFresh) wake(issue.id);
      return isFresh;
    });
  }

  #issueOf(event: Event): IssueId | undefined {
    if (UNCHANGING.has(event.type)) return undefined;
    if (event.type === 'intent.opened') return event.command.issue;
    if (event.type === 'intent.settled') return this.#intents.get(event.intent);
    return 'issue' in event ? event.issue : undefined;
  }

  /**
   * Remembers the issue of each open intent, because an outcome refers to its intent only by
   * number.
   */
  #follow(event: Event): void {
    if (event.type === 'intent.opened') this.#intents.set(event.intent, event.command.issue);
    if (event.type === 'intent.settled') this.#intents.delete(event.intent);
  }
}
