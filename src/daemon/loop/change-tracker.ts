/** Which issues something has happened to since a look began: what that look saw of them is no longer so. */
import type { Event } from '../../core/model/event.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { SeenIssue } from '../../core/state/observation.ts';
import type { Ledger } from '../context/journal-ledger.ts';

/** What was decided or seen, and the accounts of a worker: none of them changes the board or a pull request. */
const UNCHANGING: ReadonlySet<string> = new Set([
  'decision.made',
  'issue.sighted',
  'issue.left',
  'attempt.spent',
  'attempt.exited',
  'attempt.session_paired',
]);

export class Touched {
  readonly #lastAt = new Map<IssueId, number>();
  readonly #intents = new Map<number, IssueId>();

  constructor(ledger: Ledger) {
    for (const [intent, { command }] of ledger.swarm.intents) this.#intents.set(intent, command.issue);
    ledger.subscribe((events) => {
      for (const event of events) {
        const issue = this.#issueOf(event);
        if (issue !== undefined) this.#lastAt.set(issue, event.seq);
        this.#follow(event);
      }
    });
  }

  /**
   * Without those that were touched after version `since`, or by what others are about to write; each of them is handed to
   * `again`. What the look itself writes does not count: the issue would be looked at for ever.
   */
  untouchedSince(
    since: number,
    board: readonly SeenIssue[],
    again: (issue: IssueId) => void,
    staged: readonly Event[],
  ): readonly SeenIssue[] {
    const touching = new Set(staged.map((event) => this.#issueOf(event)));
    return board.filter(({ issue }) => {
      const isFresh = (this.#lastAt.get(issue.id) ?? 0) <= since && !touching.has(issue.id);
      if (!isFresh) again(issue.id);
      return isFresh;
    });
  }

  #issueOf(event: Event): IssueId | undefined {
    if (UNCHANGING.has(event.type)) return undefined;
    if (event.type === 'intent.opened') return event.command.issue;
    if (event.type === 'intent.settled') return this.#intents.get(event.intent);
    return 'issue' in event ? event.issue : undefined;
  }

  /** An outcome names its intent by number alone. */
  #follow(event: Event): void {
    if (event.type === 'intent.opened') this.#intents.set(event.intent, event.command.issue);
    if (event.type === 'intent.settled') this.#intents.delete(event.intent);
  }
}
