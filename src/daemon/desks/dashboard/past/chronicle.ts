/** The journal, taken in once from its beginning when somebody first asks about the past, and then only what is new. */
import type { Event } from '../../../../core/model/event.ts';
import { evolve } from '../../../../core/state/evolve.ts';
import { emptySwarm, type Swarm } from '../../../../core/state/state.ts';
import type { Ledger } from '../../../context/journal-ledger.ts';
import { FiguresRecord } from '../../../services/dashboard/figures.ts';
import { IssueIndex, issueOf } from './issue-index.ts';
import { Keyframes } from './keyframes.ts';
import { SpanRecord } from './span-record.ts';

/**
 * What is new is read when it is asked for and not when it is written: an append waits for nobody who looks on, and a dashboard
 * that is closed costs nothing. All parts are bounded; a daemon nobody asks keeps none of it.
 */
export class Chronicle {
  readonly index = new IssueIndex();
  readonly span = new SpanRecord();
  readonly figures = new FiguresRecord();
  readonly keyframes = new Keyframes();
  readonly #ledger: Ledger;
  readonly #swarm: Swarm = emptySwarm();
  #reading: Promise<void> | undefined;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /** Resolves when everything written until now is taken in; rejects where a row cannot be read, and goes on there next time. */
  async caughtUp(): Promise<void> {
    const wanted = this.#ledger.version;
    while (this.#swarm.version < wanted) {
      // One reading for all who ask: two at once would take the same in twice.
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
  }

  async #read(): Promise<void> {
    for await (const batch of this.#ledger.read(this.#swarm.version)) {
      for (const event of batch) this.#take(event);
    }
  }

  #take(event: Event): void {
    const swarm = this.#swarm;
    // Before it is folded: what has come to its end is not found afterwards.
    const issue = issueOf(swarm, event);
    const before = issue === undefined ? undefined : swarm.board.get(issue);
    const { ignored } = swarm;
    evolve(swarm, event);
    this.span.take(event);
    if (issue !== undefined) this.index.take(issue, event.seq);
    // What came twice or late counts for nothing.
    if (swarm.ignored === ignored) this.figures.take(event, before);
    this.keyframes.take(swarm, event.at);
  }
}
