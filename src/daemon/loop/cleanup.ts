/**
 * Cleans up after finished issues: ends leftover processes, then removes workspaces, but never
 * unsaved work.
 */

import { type IssueId, readWorkerId, toWorkerId } from '../../core/model/ids.ts';
import { MODES } from '../../core/model/mode.ts';
import { isFinished } from '../../core/model/status.ts';
import { buildPruneEvents, findPrunable } from '../../core/state/retention.ts';
import type { LegionState } from '../../core/state/state.ts';
import { hasActiveWorker } from '../../core/state/workers.ts';
import type { FoundProcess } from '../../ports/host.ts';
import type { PortContext, StateContext } from '../context/daemon-context.ts';
import { stopProcess } from '../supervisor/stop-process.ts';

/**
 * Delay before a workspace with unsaved work is checked again. By then, a person may have saved the
 * work.
 */
const AGAIN_MS = 10 * 60_000;

/**
 * Maximum number of issues pruned per round, because the first start with a long history must not
 * delay the board.
 */
const MAX_PRUNED_PER_ROUND = 50;

export class IssueCleanup {
  readonly #context: StateContext & PortContext;
  readonly #clean: (issue: IssueId) => Promise<void>;
  readonly #notBefore = new Map<IssueId, number>();
  readonly #running = new Set<Promise<void>>();

  /** `clean` opens the intent of the cleanup and runs it. */
  constructor(context: StateContext & PortContext, clean: (issue: IssueId) => Promise<void>) {
    this.#context = context;
    this.#clean = clean;
  }

  /**
   * Starts all cleanups that are due, without waiting for them: a process may be slow to exit, and
   * the board must not wait for it.
   */
  async runRound(signal: AbortSignal): Promise<void> {
    const { workspaces, clock } = this.#context;
    const withWorkspace = (await workspaces.list()).map(({ issue }) => issue);
    const due = withWorkspace.filter(
      (issue) => this.#isDue(issue) && (this.#notBefore.get(issue) ?? 0) <= clock.now(),
    );
    const found = due.length === 0 ? [] : await this.#findProcesses();
    // Removes nothing if the running processes could not be listed.
    for (const issue of found === undefined ? [] : due) {
      this.#notBefore.set(issue, clock.now() + AGAIN_MS);
      const left = found?.filter(({ worker }) => isOf(worker, issue)) ?? [];
      const work = this.#cleanUp(issue, left, signal).finally(() => this.#running.delete(work));
      this.#running.add(work);
    }
    await this.#pruneOld(new Set(withWorkspace));
  }

  /**
   * Lists the processes of all issues in one call, because the cost of a call grows with every past
   * attempt.
   */
  async #findProcesses(): Promise<readonly FoundProcess[] | undefined> {
    const { host, problems } = this.#context;
    try {
      const found = await host.adopt();
      problems.resolve('cleanup');
      return found;
    } catch (error) {
      problems.report('cleanup', error);
      return undefined;
    }
  }

  /** Resolves when no cleanup is running. */
  async waitForAll(): Promise<void> {
    await Promise.all(this.#running);
  }

  /**
   * Removes the output and then the state of long-finished issues, unless a workspace still holds
   * work.
   */
  async #pruneOld(withWorkspace: ReadonlySet<IssueId>): Promise<void> {
    const { ledger, clock, problems } = this.#context;
    const old = findPrunable(ledger.state, clock.now()).filter((issue) => !withWorkspace.has(issue));
    for (const issue of old.slice(0, MAX_PRUNED_PER_ROUND)) {
      try {
        await this.#forgetOutput(issue);
        await ledger.append((state) => buildPruneEvents(state, issue));
        problems.resolve(`records of ${issue}`);
      } catch (error) {
        problems.report(`records of ${issue}`, error);
      }
    }
  }

  async #forgetOutput(issue: IssueId): Promise<void> {
    const { ledger, host } = this.#context;
    for (const mode of MODES) {
      const id = toWorkerId(issue, mode);
      const worker = ledger.state.workers.get(id);
      if (worker !== undefined) await host.forget(id, worker.attempt);
    }
  }

  async #cleanUp(issue: IssueId, left: readonly FoundProcess[], signal: AbortSignal): Promise<void> {
    const { problems } = this.#context;
    try {
      await this.#endProcesses(left, signal);
      // The issue may have been reopened while its processes were ending.
      if (this.#isDue(issue)) await this.#clean(issue);
      problems.resolve(`cleanup of ${issue}`);
    } catch (error) {
      if (!signal.aborted) problems.report(`cleanup of ${issue}`, error);
    }
  }

  #isDue(issue: IssueId): boolean {
    return this.#isOver(issue) && !isInUse(this.#context.ledger.state, issue);
  }

  /**
   * Returns whether the board shows the issue as finished. An issue that is missing from the board
   * does not count as finished, because it may come back.
   */
  #isOver(issue: IssueId): boolean {
    const status = this.#context.boardView.find(issue)?.status;
    return isFinished(status);
  }

  /**
   * Ends leftover helpers and agents. Identifies them by marker, pid and start time, never by name.
   */
  async #endProcesses(left: readonly FoundProcess[], signal: AbortSignal): Promise<void> {
    const now = this.#context.clock.now();
    for (const process of left) {
      // Helpers ignore a request to exit, so they are not asked. An agent is asked, because it may
      // still be finishing its output.
      const asked = process.role === 'agent' ? { at: now } : 'pointless';
      await stopProcess(this.#context, process, asked, signal);
    }
  }
}

/** Worker ids are lower case. */
function isOf(worker: string, issue: IssueId): boolean {
  const read = readWorkerId(worker);
  return read.ok && read.value.issue === issue.toLowerCase();
}

function isInUse(state: LegionState, issue: IssueId): boolean {
  return (state.issues.get(issue)?.openIntents ?? 0) > 0 || hasActiveWorker(state, issue);
}
