/**
 * Port to a display that shows a running worker in its own window. The window only observes the
 * worker.
 */
import type { IssueId } from '../core/model/ids.ts';
import type { Mode } from '../core/model/mode.ts';

/**
 * Contract:
 *
 * - **A window shows a worker but does not run it.** Closing a window, or the whole
 *   display, does not end any worker.
 * - **A worker has one window**, named `{mode}-{issue}` in lower case. `open` reuses it if it
 *   already exists.
 * - **A window closes by itself** some time after its worker has ended, unless a person is viewing
 *   it.
 * - **A window's environment and command line contain no secret and no issue text.**
 * - **Every failure is `view.unavailable`**, within a bounded time. A list that cannot be read is
 *   an error, never an empty list.
 */
export interface Terminals {
  open(worker: TerminalWorker, signal?: AbortSignal): Promise<TerminalWindow>;
  list(signal?: AbortSignal): Promise<readonly TerminalWindow[]>;
}

export interface TerminalWorker {
  readonly issue: IssueId;
  readonly mode: Mode;
}

export interface TerminalWindow {
  /** The display's own id for the window. */
  readonly id: string;
  readonly name: string;
}
