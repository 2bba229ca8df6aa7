/**
 * Simulates outboxes: the messages that workers store while no daemon is running, and a flag for
 * each worker that has reported.
 */

import type { WorkerIdentity } from '../core/model/ids.ts';
import type { PendingReport } from '../daemon/context/daemon-context.ts';
import type { WorkerApi } from '../daemon/daemon.ts';
import { isPermanentRefusal } from '../daemon/worker-api/outbox-import/set-aside.ts';
import type { VerbName } from '../protocol/verb.ts';

export interface SimMessage {
  readonly who: WorkerIdentity;
  readonly worker: string;
  readonly verb: VerbName;
  readonly input: object;
  readonly message: string;
}

interface KeptSimMessage extends SimMessage {
  readonly at: number;
}

export class SimOutboxes {
  readonly #entries: KeptSimMessage[] = [];
  readonly #flags = new Map<string, KeptSimMessage>();
  readonly #onDropped: (entry: SimMessage, why: string) => void;

  /** Calls `onDropped` for each message that was rejected permanently. */
  constructor(onDropped: (entry: SimMessage, code: string) => void) {
    this.#onDropped = onDropped;
  }

  /** Messages that no daemon has read. */
  get unread(): readonly SimMessage[] {
    return this.#entries;
  }

  store(message: SimMessage, at: number): void {
    this.#entries.push({ ...message, at });
  }

  /** Sets the flag that marks the worker's report as acknowledged. */
  flag(message: SimMessage, at: number): void {
    this.#flags.set(`${message.worker} ${message.who.attempt}`, { ...message, at });
  }

  hasMessagesFrom(worker: string, attempt: number): boolean {
    return this.#entries.some((each) => each.worker === worker && each.who.attempt === attempt);
  }

  /** Returns what a daemon finds when it looks for a report of this attempt. */
  findReport(worker: string, attempt: number): PendingReport {
    const waiting = this.#entries.findLast(
      (each) => each.worker === worker && each.who.attempt === attempt && isReport(each.verb),
    );
    const report = waiting ?? this.#flags.get(`${worker} ${attempt}`);
    if (report === undefined || !isReport(report.verb)) return 'none';
    return { where: waiting === undefined ? 'done_flag' : 'outbox', outcome: report.verb, since: report.at };
  }

  /**
   * Imports each message once and in order. A message that cannot be imported at the moment stays,
   * together with all later ones from its worker.
   */
  async importMessages(workerApi: WorkerApi): Promise<void> {
    const blocked = new Set<string>();
    for (const entry of [...this.#entries]) {
      const { who, verb, input, message } = entry;
      const sender = `${who.issue}/${who.mode}/${who.attempt}`;
      if (blocked.has(sender)) continue;
      try {
        await workerApi.handleVerb(who, verb, input, message);
        this.#remove(entry);
      } catch (error) {
        if (!isPermanentRefusal(error)) {
          blocked.add(sender);
          continue;
        }
        this.#onDropped(entry, error.code);
        this.#remove(entry);
      }
    }
  }

  #remove(entry: KeptSimMessage): void {
    const at = this.#entries.indexOf(entry);
    if (at >= 0) this.#entries.splice(at, 1);
  }
}

function isReport(verb: VerbName): verb is 'done' | 'error' {
  return verb === 'done' || verb === 'error';
}
