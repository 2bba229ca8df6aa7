/** Which issues something has happened to since a look began: what that look saw of them is no longer so. */
import type { Event } from '../domain/event.ts';
import type { IssueId } from '../domain/ids.ts';
import type { SeenIssue } from '../swarm/observation.ts';
import type { Ledger } from './ledger.ts';

const UNCHANGING: ReadonlySet<string> = new Set(['decision.made', 'issue.sighted', 'issue.left']);

export class Touched {
  readonly #lastAt = new Map<IssueId, number>();
  readonly #intents = new Map<number, IssueId>();

  constructor(ledger: Ledger) {
    for (const [intent, { command }] of ledger.swarm.intents) this.#intents.set(intent, command.issue);
    ledger.subscribe((events) => {
      for (const event of events) {
        const issue = this.#issueOf(event);
        if (issue !== undefined) this.#lastAt.set(issue, event.seq);
      }
    });
  }

  /**
   * Without those that were touched after version `since`; each of them is handed to `again`. What the look itself has
   * written, `own`, does not count: it would be looked at for ever.
   */
  untouchedSince(
    since: number,
    board: readonly SeenIssue[],
    again: (issue: IssueId) => void,
    own: readonly Event[] = [],
  ): readonly SeenIssue[] {
    const ours = new Map(own.flatMap((event) => ('issue' in event ? [[event.issue, event.seq]] : [])));
    return board.filter(({ issue }) => {
      const fresh = (this.#lastAt.get(issue.id) ?? 0) <= Math.max(since, ours.get(issue.id) ?? 0);
      if (!fresh) again(issue.id);
      return fresh;
    });
  }

  #issueOf(event: Event): IssueId | undefined {
    // What was decided, and that it was seen, changes nothing of what was seen.
    if (UNCHANGING.has(event.type)) return undefined;
    if (event.type === 'intent.opened') {
      this.#intents.set(event.intent, event.command.issue);
      return event.command.issue;
    }
    if (event.type === 'intent.settled') {
      const issue = this.#intents.get(event.intent);
      this.#intents.delete(event.intent);
      return issue;
    }
    return 'issue' in event ? event.issue : undefined;
  }
}
