/** Cleans up after issues that are over: what is left of their processes, then their workspaces, and never what holds work. */

import type { IssueId } from '../../core/model/ids.ts';
import { readWorkerId, workerId } from '../../core/model/ids.ts';
import { isFinished } from '../../core/model/status.ts';
import type { Swarm } from '../../core/state/state.ts';
import { hasEnded, lifecycleOf } from '../../domain/lifecycle.ts';
import { MODES } from '../../domain/mode.ts';
import type { FoundProcess } from '../../hosts/host.ts';
import { findPrunable, pruneEvents } from '../../swarm/retention.ts';
import { endProcess } from '../supervise/end-process.ts';
import type { World } from '../world.ts';

/** A workspace that held something is looked at again after this; a person may have saved it meanwhile. */
const AGAIN_MS = 10 * 60_000;

/** Issues in one round: the first start with a long history must not keep the board waiting. */
const MAX_PRUNED_PER_ROUND = 50;

export class Sweep {
  readonly #world: World;
  readonly #clean: (issue: IssueId) => Promise<void>;
  readonly #notBefore = new Map<IssueId, number>();
  readonly #underWay = new Set<Promise<void>>();

  /** `clean` opens the intent and performs it. */
  constructor(world: World, clean: (issue: IssueId) => Promise<void>) {
    this.#world = world;
    this.#clean = clean;
  }

  /** Begins what is due and returns: a process that does not want to leave takes its time, and the board must not wait. */
  async round(signal: AbortSignal): Promise<void> {
    const { workspaces, clock } = this.#world;
    const standing = (await workspaces.list()).map(({ issue }) => issue);
    const due = standing.filter(
      (issue) => this.#isDue(issue) && (this.#notBefore.get(issue) ?? 0) <= clock.now(),
    );
    const found = due.length === 0 ? [] : await this.#found();
    // Nothing is removed under the feet of a process that could not be seen.
    for (const issue of found === undefined ? [] : due) {
      this.#notBefore.set(issue, clock.now() + AGAIN_MS);
      const left = found?.filter(({ worker }) => isOf(worker, issue)) ?? [];
      const work = this.#cleanUp(issue, left, signal).finally(() => this.#underWay.delete(work));
      this.#underWay.add(work);
    }
    await this.#pruneOld(new Set(standing));
  }

  /** One look for all issues: after a busy night there are many, and it costs more with every attempt there was. */
  async #found(): Promise<readonly FoundProcess[] | undefined> {
    const { host, troubles } = this.#world;
    try {
      const found = await host.adopt();
      troubles.clear('cleanup');
      return found;
    } catch (error) {
      troubles.raise('cleanup', error);
      return undefined;
    }
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** What workers of a long finished issue wrote, then what the state keeps of it; not while its workspace holds work. */
  async #pruneOld(standing: ReadonlySet<IssueId>): Promise<void> {
    const { ledger, clock, troubles } = this.#world;
    const old = findPrunable(ledger.swarm, clock.now()).filter((issue) => !standing.has(issue));
    for (const issue of old.slice(0, MAX_PRUNED_PER_ROUND)) {
      try {
        await this.#forgetOutput(issue);
        await ledger.append((swarm) => pruneEvents(swarm, issue));
        troubles.clear(`records of ${issue}`);
      } catch (error) {
        troubles.raise(`records of ${issue}`, error);
      }
    }
  }

  async #forgetOutput(issue: IssueId): Promise<void> {
    const { ledger, host } = this.#world;
    for (const mode of MODES) {
      const id = workerId(issue, mode);
      const worker = ledger.swarm.workers.get(id);
      if (worker !== undefined) await host.forget(id, worker.attempt);
    }
  }

  async #cleanUp(issue: IssueId, left: readonly FoundProcess[], signal: AbortSignal): Promise<void> {
    const { troubles } = this.#world;
    try {
      await this.#endProcesses(left, signal);
      // It may have been opened again meanwhile.
      if (this.#isDue(issue)) await this.#clean(issue);
      troubles.clear(`cleanup of ${issue}`);
    } catch (error) {
      if (!signal.aborted) troubles.raise(`cleanup of ${issue}`, error);
    }
  }

  #isDue(issue: IssueId): boolean {
    return this.#isOver(issue) && !isInUse(this.#world.ledger.swarm, issue);
  }

  /** Only what was read as over is: an issue that is not on the board may come back. */
  #isOver(issue: IssueId): boolean {
    const status = this.#world.view.of(issue)?.status;
    return isFinished(status);
  }

  /** By marker, pid and start time, never by name: helpers an agent left behind, and agents that did not leave. */
  async #endProcesses(left: readonly FoundProcess[], signal: AbortSignal): Promise<void> {
    const now = this.#world.clock.now();
    for (const process of left) {
      // Helpers listen to nobody; an agent may be at its last words.
      const asked = process.role === 'agent' ? { at: now } : 'pointless';
      await endProcess(this.#world, process, asked, signal);
    }
  }
}

/** Ids of workers are in lower case. */
function isOf(worker: string, issue: IssueId): boolean {
  const read = readWorkerId(worker);
  return read.ok && read.value.issue === issue.toLowerCase();
}

function isInUse(swarm: Swarm, issue: IssueId): boolean {
  return (swarm.issues.get(issue)?.openIntents ?? 0) > 0 || isAtWork(swarm, issue);
}

export function isAtWork(swarm: Swarm, issue: IssueId): boolean {
  return MODES.some((mode) => {
    const worker = swarm.workers.get(workerId(issue, mode));
    return worker !== undefined && !hasEnded(lifecycleOf(worker.facts));
  });
}
