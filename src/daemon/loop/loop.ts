/**
 * Runs the reconcile loop of a legion: observe, decide, journal and run commands, on wake-up or on
 * schedule.
 */
import type { Command } from '../../core/model/command.ts';
import { LegionError } from '../../core/model/fault.ts';
import { type IssueId, toWorkerId } from '../../core/model/ids.ts';
import type { LegionState } from '../../core/state/state.ts';
import { startWakeableLoop } from '../../lib/async/wakeable-loop.ts';
import type { SpawnCommand } from '../commands/spawn.ts';
import type { PollPace } from '../context/board-view.ts';
import type { DaemonContext, PortContext, StateContext } from '../context/daemon-context.ts';
import { buildStartContext } from '../context/evaluator.ts';
import type { Ledger } from '../context/ledger.ts';
import { settleMerges } from '../merging/settle-merges.ts';
import { deliverAllMessages } from '../prompts/worker-messages.ts';
import { BreakerWatch } from '../supervisor/breaker.ts';
import { judgeKills } from '../supervisor/judge-kills.ts';
import { type Supervisor, startSupervisor } from '../supervisor/supervisor.ts';
import { IssueCleanup } from './cleanup.ts';
import { IssueBackoff } from './issue-backoff.ts';
import { type NumberedCommand, type Performer, startPerformer } from './performer.ts';
import { hasPaceChanged, PollSchedule } from './poll-schedule.ts';
import { createReconcilePass, type ReconcilePass } from './reconcile.ts';
import { PullRequestLinks } from './shown-pull-requests.ts';
import { type DueStarts, StartQueue } from './start-queue.ts';

export interface ReconcileLoop {
  /** Reconciles one issue, or everything, at once. */
  wake(issue?: IssueId): void;
  readonly reconcilePass: ReconcilePass;
  readonly supervisor: Supervisor;
  readonly performer: Performer;
  /**
   * Journals an intent for the command and runs it. Resolves when the intent is settled. Errors are
   * reported as active problems.
   */
  execute(command: Command): Promise<void>;
  stop(): Promise<void>;
}

/** Imports changes since the last pass: worker reports and repository rules. */
export type PendingImport = () => Promise<void>;

/**
 * Maximum age of the board, in poll intervals, at which workers may still start. One late pass is
 * tolerable; two late passes mean an outage.
 */
const FRESH_FOR_INTERVALS = 2;

const LATE_BOARD_READ = 'late board read';

/**
 * Delay used when no issue becomes due by time alone. It is so long that only a wake-up starts the
 * next pass.
 */
const UNTIL_WOKEN_MS = 24 * 60 * 60_000;

/**
 * Three passes run concurrently, so that none waits for another: one over individual issues, one
 * over the whole board and one over the workers. Their decisions go through the ledger one at a
 * time, against the state at that moment.
 */
export function startLoop(
  context: DaemonContext,
  importPending: PendingImport,
  onPaceChanged: (pace: PollPace) => void = () => {},
): ReconcileLoop {
  const { clock, ledger, settings, problems } = context;
  const backoff = new IssueBackoff(clock);
  const performer = startPerformer(context, backoff);
  const schedule = new PollSchedule(clock, settings, () => context.tracker.budget?.());
  const reconcilePass = createReconcilePass(context, performer, backoff, () => {
    schedule.scheduleFollowUp();
    boardPasses.wake();
  });
  const startQueue = new StartQueue(context.boardView);
  const cleanup = new IssueCleanup(context, (issue) => executeCommand({ kind: 'clean_workspace', issue }));
  const pullRequestLinks = new PullRequestLinks(context);
  const breaker = new BreakerWatch(context);
  const supervisor = startSupervisor(
    context,
    (command) => void executeCommand(command),
    () => workerPasses.wake(),
  );
  let wokenIssues = new Set<IssueId>();

  async function executeCommand(command: Command): Promise<void> {
    try {
      const numbered = await openIntent(ledger, command);
      await performer.begin(command.issue, [numbered]);
    } catch (error) {
      problems.report(`issue ${command.issue}`, error);
    }
  }

  function wake(issue?: IssueId): void {
    if (issue === undefined) schedule.scheduleNow();
    else wokenIssues.add(issue);
    (issue === undefined ? boardPasses : namedPasses).wake();
    // A worker may have started or exited.
    workerPasses.wake();
  }

  /**
   * Returns the issues to reconcile. Clears the set before the pass, so that an issue that is woken
   * during the pass is reconciled again.
   */
  function takeWokenIssues(): ReadonlySet<IssueId> {
    const issues = wokenIssues;
    wokenIssues = new Set();
    return issues;
  }

  function findDueStarts(): DueStarts {
    const { state } = ledger;
    const isHeld = (issue: IssueId) =>
      backoff.isBackingOff(issue) || (state.issues.get(issue)?.openIntents ?? 0) > 0;
    return startQueue.findDue(state, buildStartContext(context), isHeld);
  }

  async function reconcileNamed(_woken: boolean, signal: AbortSignal): Promise<number> {
    for (const issue of backoff.takeDue()) wokenIssues.add(issue);
    const issues = takeWokenIssues();
    try {
      const wanted = new Set([...issues, ...findDueStarts().issues]);
      const { issues: steps } = await reconcilePass.run(wanted, signal);
      startQueue.update(steps, false);
      const next = findDueStarts();
      // An issue that became due during the pass would otherwise not be picked up again.
      const isMissed = next.issues.some((issue) => !wanted.has(issue));
      return isMissed ? 0 : computeDelay(next.wakeAt, backoff.wakeAt);
    } catch (error) {
      // The pass failed, so its issues are still due.
      for (const issue of issues) wokenIssues.add(issue);
      throw error;
    }
  }

  async function reconcileBoard(_woken: boolean, signal: AbortSignal): Promise<number> {
    if (schedule.isDue) {
      const begunAt = clock.now();
      await importPending();
      const { issues } = await reconcilePass.run('all', signal);
      startQueue.update(issues, true);
      schedule.recordRead(context.boardView.all, begunAt);
      recordPace(begunAt);
      namedPasses.wake();
      await cleanup.runRound(signal);
      await pullRequestLinks.runRound();
    }
    reportLateBoardRead();
    return computeDelay(schedule.nextAt);
  }

  function recordPace(begunAt: number): void {
    const { pace } = schedule;
    const previous = context.boardView.pace;
    context.boardView.markRead(begunAt, FRESH_FOR_INTERVALS * pace.intervalMs, pace);
    if (previous !== undefined && hasPaceChanged(previous, pace)) onPaceChanged(pace);
  }

  /**
   * If the next board read comes too late, reports that and the reason, because no worker starts on
   * an outdated board.
   */
  function reportLateBoardRead(): void {
    const { nextAt } = schedule;
    if (nextAt <= context.boardView.freshUntil) problems.resolve(LATE_BOARD_READ);
    else {
      const why = 'the tracker is limiting requests, so no worker starts before then.';
      const message = `The next board read is at ${new Date(nextAt).toISOString()}: ${why}`;
      problems.report(LATE_BOARD_READ, new LegionError('tracker.unavailable', message));
    }
  }

  async function superviseWorkers(): Promise<number> {
    await deliverAllMessages(context);
    return computeDelay(await supervisor.runRound(), await breaker.runRound(), await judgeKills(context));
  }

  function computeDelay(...times: readonly (number | undefined)[]): number {
    const first = Math.min(...times.filter((time) => time !== undefined));
    return Number.isFinite(first) ? first - clock.now() : UNTIL_WOKEN_MS;
  }

  /**
   * Runs the intents that the previous daemon left open. Until they are settled, no new work starts
   * on their issues.
   */
  async function recover(): Promise<void> {
    await recoverStartedAttempts(context);
    const byIssue = Map.groupBy(ledger.state.intents, ([, { command }]) => command.issue);
    for (const [issue, intents] of byIssue) {
      const commands = intents.map(([intent, { command }]) => ({ intent, command }));
      void performer.begin(issue, commands);
    }
    await settleMerges(context);
  }

  const startReconciler = (what: string, pass: (woken: boolean, signal: AbortSignal) => Promise<number>) =>
    startWakeableLoop({
      clock,
      onError: (error) => problems.report(what, error),
      async pass(woken, signal) {
        const rest = await pass(woken, signal);
        problems.resolve(what);
        return rest;
      },
    });

  const recovered = recover();
  const workerPasses = startReconciler('supervision', superviseWorkers);
  const namedPasses = startReconciler('issues', reconcileNamed);
  const boardPasses = startReconciler('board', reconcileBoard);
  return {
    wake,
    reconcilePass,
    supervisor,
    performer,
    execute: executeCommand,
    async stop() {
      await recovered;
      await Promise.all([boardPasses.stop(), namedPasses.stop(), workerPasses.stop()]);
      await cleanup.waitForAll();
      await performer.stop();
      supervisor.close();
    },
  };
}

/**
 * Opens an intent for a command that does not come from a decision: a cleanup, a message to a
 * person or an operator's order.
 */
async function openIntent(ledger: Ledger, command: Command): Promise<NumberedCommand> {
  let intent = 0;
  await ledger.append((state) => {
    intent = state.lastIntent + 1;
    return [{ type: 'intent.opened', intent, command }];
  });
  return { intent, command };
}

/**
 * At startup, adopts workers whose process was started but whose start was never journaled. Until a
 * worker is adopted, its report would be treated as that of a worker that never started, and its
 * exit would go unnoticed. The spawn command would also find the worker, but only after preparing
 * its workspace. If the host cannot answer at the moment, the spawn command finds the worker later.
 */
async function recoverStartedAttempts({ ledger, host, problems }: StateContext & PortContext): Promise<void> {
  if (listUnrecordedStarts(ledger.state).length === 0) return;
  try {
    const found = (await host.adopt()).filter(({ role }) => role === 'agent');
    await ledger.append((state) =>
      listUnrecordedStarts(state).flatMap(({ intent, command: { issue, mode, attempt } }) => {
        const worker = toWorkerId(issue, mode);
        const process = found.find((each) => each.worker === worker && each.attempt === attempt);
        if (process === undefined) return [];
        const { pid, startTime, marker } = process;
        return [
          { type: 'attempt.spawned', issue, mode, attempt, pid, startTime, marker },
          { type: 'intent.settled', intent, outcome: 'done', detail: `pid ${pid} was already running` },
        ] as const;
      }),
    );
  } catch (error) {
    problems.report('adoption', error);
    return;
  }
  problems.resolve('adoption');
}

/** Returns open spawn intents of attempts whose process is not in the journal. */
function listUnrecordedStarts({
  intents,
  workers,
}: LegionState): { readonly intent: number; readonly command: SpawnCommand }[] {
  return [...intents].flatMap(([intent, { command }]) => {
    if (command.kind !== 'spawn') return [];
    const worker = workers.get(toWorkerId(command.issue, command.mode));
    const isUnknown = worker?.attempt === command.attempt && worker.process === undefined;
    return isUnknown ? [{ intent, command }] : [];
  });
}
