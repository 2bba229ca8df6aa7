/** The port to what shows people a worker at work: a window of its own, which looks on and carries nothing. */
import type { IssueId } from '../core/model/ids.ts';
import type { Mode } from '../domain/mode.ts';

/**
 * Contract:
 *
 * - **A window shows a worker and does not carry it.** Closing it, or ending everything that shows windows, ends nobody.
 * - **A worker has one window**, named `{mode}-{issue}`. `open` finds it where it is there already.
 * - **A window closes by itself** some time after its worker has ended, unless somebody looks at it.
 * - **Nothing secret and no text of an issue is in a window's environment or on its command line.**
 * - **Every failure is `view.unavailable`**, within a bounded time. What cannot be listed is refused, never taken for an empty list.
 */
export interface Views {
  open(worker: ShownWorker, signal?: AbortSignal): Promise<ViewWindow>;
  list(signal?: AbortSignal): Promise<readonly ViewWindow[]>;
}

export interface ShownWorker {
  readonly issue: IssueId;
  readonly mode: Mode;
}

export interface ViewWindow {
  /** As what shows it numbers its windows. */
  readonly id: string;
  readonly name: string;
}
