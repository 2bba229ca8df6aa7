/**
 * Watches every worker whose attempt is not over or whose process is still running. Follows the
 * worker's output, and judges its health when a judgement is due.
 */

import {
  type ClockReading,
  computeClockJump,
  computeWatchingSince,
  hasJumped,
} from '../../core/health/clock.ts';
import { judgeHealth } from '../../core/health/judge.ts';
import type { HealthJudgement } from '../../core/health/judgement.ts';
import { markProbeAnswered } from '../../core/health/suspicion.ts';
import { toWorkerId, type WorkerId } from '../../core/model/ids.ts';
import { hasEnded, toLifecycleState } from '../../core/model/lifecycle.ts';
import type { WorkerRecord } from '../../core/state/state.ts';
import { listPresentWorkers } from '../../core/state/workers.ts';
import type { DaemonContext, StateContext, WorkerContext } from '../context/daemon-context.ts';
import { recordUncommittedWork } from '../context/record-uncommitted-work.ts';
import type { UndecidedWorker, WorkerActivity } from '../context/worker-activity.ts';
import { applyVerdict, switchAgent } from './apply-verdict.ts';
import { enforceBudget } from './enforce-budget.ts';
import { type AttemptMemory, collectHealthEvidence, type SupervisionWindow } from './evidence.ts';
import { type CommandExecutor, findProcessIdentity } from './stop-process.ts';
import { type AgentTrace, isSessionLost } from './trace.ts';
import { type AttemptWatch, watchAttempt } from './watch-attempt.ts';

export interface Supervisor {
  /**
   * Runs one round: watches new workers, drops those that are gone, and judges those that are due.
   * Resolves to the next due time.
   */
  runRound(): Promise<number | undefined>;
  /** Returns the current verdict without acting on it. */
  judgeHealth(worker: WorkerId): Promise<HealthJudgement | undefined>;
  /**
   * Returns workers that only a person can decide about, for example one that is silent but uses
   * the processor.
   */
  listUndecided(): readonly UndecidedWorker[];
  /** Latest activity of watched workers as reported by their agents. */
  listActivities(): ReadonlyMap<WorkerId, WorkerActivity>;
  close(): void;
}

interface WatchedAttempt {
  readonly attempt: number;
  readonly watch: AttemptWatch | undefined;
  memory: AttemptMemory;
  judgement?: HealthJudgement;
  dueAt: number;
  /** When uncommitted work is recorded next. Infinite if that is not possible. */
  snapshotAt: number;
}

const UNSUSPECTED: AttemptMemory = {
  suspicion: { flagged: false },
  questionsAsked: 0,
  personToldAt: 'never',
};

export function startSupervisor(
  context: DaemonContext,
  order: CommandExecutor,
  wake: () => void,
): Supervisor {
  const { clock, ledger, settings, problems, boardView } = context;
  const { snapshotIntervalMs = Number.POSITIVE_INFINITY } = context.workspaces;
  const begunAt = clock.now();
  const watchedAttempts = new Map<WorkerId, WatchedAttempt>();
  let watching: SupervisionWindow = { watchingSince: begunAt, clockSetAt: 0 };
  let lastRound: ClockReading = { now: begunAt, monotonic: clock.monotonic() };

  /**
   * Returns the watch of the worker's current attempt and process. A new watch is created for a new
   * attempt, or when the process becomes known.
   */
  function ensureWatched(id: WorkerId, worker: WorkerRecord): WatchedAttempt {
    const known = watchedAttempts.get(id);
    const identity = findProcessIdentity(worker);
    const same = known?.attempt === worker.attempt;
    // The output of a worker that exited without a report is still read, because it may mention an
    // exhausted quota and its reset time.
    const isOver = worker.exit !== undefined && hasEnded(toLifecycleState(worker.facts));
    if (same && (known.watch !== undefined || identity === undefined || isOver)) return known;
    known?.watch?.close();
    const onChange = () => {
      const watched = watchedAttempts.get(id);
      if (watched !== undefined) watched.dueAt = 0;
      wake();
    };
    const { agent } = context.agentOf(worker);
    const watch =
      identity === undefined || isOver ? undefined : watchAttempt(context, agent, worker, identity, onChange);
    const watched: WatchedAttempt = {
      attempt: worker.attempt,
      watch,
      memory: same ? known.memory : UNSUSPECTED,
      dueAt: same ? known.dueAt : 0,
      snapshotAt: same ? known.snapshotAt : clock.now() + snapshotIntervalMs,
    };
    watchedAttempts.set(id, watched);
    return watched;
  }

  async function judgeAndApply(id: WorkerId, worker: WorkerRecord, watched: WatchedAttempt): Promise<void> {
    // The worker's phase depends on the board, so nothing is judged before the board is read: a
    // suspicion raised earlier would be withdrawn afterwards.
    if (!boardView.isRead && clock.now() - begunAt < BOARD_PATIENCE_MS) {
      watched.dueAt = clock.now() + BOARD_POLL_MS;
      return;
    }
    // Reads all output so far before judging.
    await watched.watch?.poll();
    // Output that is not journaled yet may mention an exhausted quota, so the worker is judged only
    // after the journal has accepted it.
    if (watched.watch?.hasUnrecorded === true) {
      watched.dueAt = clock.now() + RETRY_MS;
      return;
    }
    const present = ledger.state.workers.get(id);
    if (present?.attempt !== worker.attempt) return;
    if (watched.watch !== undefined && (await stopWithoutLogin(context, present, watched.watch.trace)))
      return;
    watched.memory = recordAnswer(watched.memory, watched.watch?.trace);
    const evidence = await collectHealthEvidence(
      context,
      present,
      watched.watch?.trace,
      watched.memory,
      watching,
    );
    const judgement = judgeHealth(evidence, clock.now(), settings().health);
    watched.judgement = judgement;
    const lost = watched.watch !== undefined && isSessionLost(watched.watch.trace);
    const { lastError } = watched.watch?.trace ?? {};
    const found = {
      worker: present,
      evidence,
      judgement,
      memory: watched.memory,
      isSessionLost: lost,
      lastError,
    };
    watched.memory = await applyVerdict(context, found, order);
    const held = ledger.state.workers.get(id);
    const budgetAt = held?.attempt === worker.attempt ? await enforceBudget(context, held, order) : undefined;
    watched.dueAt = Math.min(
      judgement.lookAgainAt ?? Number.POSITIVE_INFINITY,
      budgetAt ?? Number.POSITIVE_INFINITY,
    );
  }

  async function recordClockJump(byMs: number): Promise<void> {
    await ledger.append(({ lastJump }) => [{ type: 'clock.jumped', jump: lastJump + 1, byMs }]);
  }

  return {
    async runRound() {
      const now = clock.now();
      const moment = { now, monotonic: clock.monotonic() };
      const jumped = hasJumped(lastRound, moment);
      if (jumped) await recordClockJump(Math.round(computeClockJump(lastRound, moment)));
      watching = {
        watchingSince: computeWatchingSince(watching.watchingSince, lastRound, moment, settings().health),
        clockSetAt: jumped ? now : watching.clockSetAt,
      };
      lastRound = moment;
      const supervised = listPresentWorkers(ledger.state);
      const ids = new Set(supervised.map(([id]) => id));
      for (const [id, watched] of watchedAttempts) {
        if (ids.has(id)) continue;
        watched.watch?.close();
        watchedAttempts.delete(id);
      }
      for (const [id, worker] of supervised) {
        const watched = ensureWatched(id, worker);
        if (watched.snapshotAt <= now) {
          watched.snapshotAt = now + snapshotIntervalMs;
          // Not awaited: a large snapshot must not delay the judgement of other workers.
          void recordUncommittedWork(context, worker.issue);
        }
        // If one worker cannot be checked, the others must still be checked.
        try {
          // The switch is tried even if no judgement of the worker is due, because a fallback agent
          // may have become ready.
          await switchAgent(context, id);
          if (watched.dueAt > now) continue;
          await judgeAndApply(id, worker, watched);
          problems.resolve(`health of ${id}`);
        } catch (error) {
          watched.dueAt = now + RETRY_MS;
          problems.report(`health of ${id}`, error);
        }
      }
      const next = Math.min(
        ...[...watchedAttempts.values()].map(({ dueAt, snapshotAt }) => Math.min(dueAt, snapshotAt)),
      );
      return Number.isFinite(next) ? next : undefined;
    },
    async judgeHealth(id) {
      const worker = ledger.state.workers.get(id);
      if (worker === undefined) return undefined;
      const watched = watchedAttempts.get(id);
      const same = watched?.attempt === worker.attempt ? watched : undefined;
      const memory = same?.memory ?? UNSUSPECTED;
      const evidence = await collectHealthEvidence(context, worker, same?.watch?.trace, memory, watching);
      return judgeHealth(evidence, clock.now(), settings().health);
    },
    listUndecided: () =>
      [...watchedAttempts].flatMap(([worker, { judgement, memory }]) =>
        judgement !== undefined && isForPerson(judgement) && memory.personToldAt !== 'never'
          ? [{ worker, why: judgement.why, since: memory.personToldAt }]
          : [],
      ),
    listActivities: () =>
      new Map(
        [...watchedAttempts].flatMap(([worker, { watch }]): [WorkerId, WorkerActivity][] =>
          watch?.trace.lastActivity === undefined ? [] : [[worker, watch.trace.lastActivity]],
        ),
      ),
    close() {
      for (const { watch } of watchedAttempts.values()) watch?.close();
      watchedAttempts.clear();
    },
  };
}

/** Records that the worker has read the question it was asked. */
function recordAnswer(memory: AttemptMemory, trace: AgentTrace | undefined): AttemptMemory {
  const { suspicion } = memory;
  const readAt = trace?.questionReadAt;
  if (!suspicion.flagged || suspicion.probe.state !== 'sent' || readAt === undefined) return memory;
  return readAt < suspicion.probe.at
    ? memory
    : { ...memory, suspicion: markProbeAnswered(suspicion, readAt) };
}

/** Excludes workers that are waiting for an answer, because the inbox shows those as questions. */
function isForPerson({ until, verdict }: HealthJudgement): boolean {
  return until === 'person' && verdict !== 'waiting' && verdict !== 'ended';
}

/**
 * How long judgements wait for the first board read, which takes a moment. The wait is limited,
 * because an unreadable board must not block judgements.
 */
const BOARD_PATIENCE_MS = 30_000;
const BOARD_POLL_MS = 100;

/** Delay before a failed check is retried. */
const RETRY_MS = 5_000;

/**
 * Stops a worker whose login was refused. Returns whether it was stopped. A worker that has
 * reported is judged by its report instead.
 */
async function stopWithoutLogin(
  { ledger, recordRefusedLogin: noteRefusedLogin, wake }: StateContext & WorkerContext,
  { issue, mode, attempt, agent, model }: WorkerRecord,
  { loginRefused }: Pick<AgentTrace, 'loginRefused'>,
): Promise<boolean> {
  if (loginRefused === undefined) return false;
  const appended = await ledger.append((legion) => {
    const present = legion.workers.get(toWorkerId(issue, mode));
    if (present?.attempt !== attempt) return [];
    const state = toLifecycleState(present.facts);
    if (state !== 'spawned' && state !== 'executing') return [];
    const why = `Its agent’s login was refused: ${loginRefused}`;
    return [{ type: 'attempt.stopped', issue, mode, attempt, why }];
  });
  if (appended.length === 0) return false;
  if (agent !== undefined) noteRefusedLogin({ agent, model }, loginRefused);
  wake(issue);
  return true;
}
