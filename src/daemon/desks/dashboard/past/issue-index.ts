/** Which events are about which issue, by their versions. */
import type { Event } from '../../../../core/model/event.ts';
import { type IssueId, readWorkerId } from '../../../../core/model/ids.ts';
import type { Swarm } from '../../../../core/state/state.ts';

/** Versions kept, of all issues together: some 8 MB. Older events are found by `legion replay`. */
const INDEXED_MOST = 1_000_000;

export class IssueIndex {
  readonly #versions = new Map<IssueId, number[]>();
  #count = 0;

  take(issue: IssueId, version: number): void {
    const known = this.#versions.get(issue);
    if (known === undefined) this.#versions.set(issue, [version]);
    else known.push(version);
    this.#count += 1;
    // Half at once, so that this is rare.
    if (this.#count > INDEXED_MOST) this.#forgetBefore(version - INDEXED_MOST / 2);
  }

  /** Ascending. */
  of(issue: IssueId): readonly number[] {
    return this.#versions.get(issue) ?? [];
  }

  #forgetBefore(version: number): void {
    this.#count = 0;
    for (const [issue, versions] of this.#versions) {
      const kept = versions.filter((each) => each >= version);
      if (kept.length === 0) this.#versions.delete(issue);
      else this.#versions.set(issue, kept);
      this.#count += kept.length;
    }
  }
}

/** In the state before the event: an outcome names its intent, and a delivery its message, by number alone. */
export function issueOf(swarm: Swarm, event: Event): IssueId | undefined {
  switch (event.type) {
    case 'intent.opened':
      return event.command.issue;
    case 'intent.settled':
      return swarm.intents.get(event.intent)?.command.issue;
    case 'message.queued':
      return issueOfWorker(swarm, event.to);
    case 'message.delivered':
    case 'message.set_aside':
      return issueOfWorker(swarm, swarm.messages.get(event.message)?.to);
    default:
      return 'issue' in event ? event.issue : undefined;
  }
}

/** As the worker's record spells it; a worker's id is in lower case. A message may come before the first dispatch. */
function issueOfWorker(swarm: Swarm, to: string | undefined): IssueId | undefined {
  if (to === undefined) return undefined;
  const worker = swarm.workers.get(to);
  if (worker !== undefined) return worker.issue;
  const id = readWorkerId(to);
  return id.ok ? id.value.issue : undefined;
}
