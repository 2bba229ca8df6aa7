/**
 * Runs intents: those of the same issue one after another, those of different issues concurrently.
 */
import type { Command } from '../../core/model/command.ts';
import type { EventBody } from '../../core/model/event.ts';
import { CATALOGUE, type FaultCode, LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { IntentOutcome } from '../commands/outcome.ts';
import { performCommand } from '../commands/perform.ts';
import { prepareAhead } from '../commands/spawn.ts';
import { toFault } from '../context/active-problems.ts';
import type { DaemonContext } from '../context/daemon-context.ts';
import type { PreparedWorkspace } from '../repositories/prepared-workspace.ts';
import type { IssueBackoff } from './issue-backoff.ts';

export interface NumberedCommand {
  readonly intent: number;
  readonly command: Command;
}

export interface Performer {
  /**
   * Starts the commands. Their outcomes go to the journal and wake the loop. Resolves when all of
   * them are settled.
   */
  begin(issue: IssueId, commands: readonly NumberedCommand[]): Promise<void>;
  /** Resolves when all started commands of this issue are settled. Never rejects. */
  waitForIssue(issue: IssueId): Promise<void>;
  /**
   * Lets running commands finish, except those that may be interrupted, which it aborts. Starts
   * nothing afterwards.
   */
  stop(): Promise<void>;
}

/** Retries after 0.5, 1, 2 and 4 s. After that the next reconcile pass decides. */
const RETRY_AFTER_MS: readonly number[] = [500, 1_000, 2_000, 4_000];

/**
 * GitHub's rate limits reset within an hour, so a retry time later than this can only result from a
 * wrong clock.
 */
const MAX_RETRY_WAIT_MS = 65 * 60_000;

/** Pause before retrying to write an outcome, for example on a full disk. */
const UNWRITTEN_PAUSE_MS = 5_000;

export function startPerformer(context: DaemonContext, backoff: IssueBackoff): Performer {
  const ended = new AbortController();
  // A replaced daemon leaves open intents to its successor.
  context.ledger.fenced.addEventListener('abort', () => ended.abort(), { once: true });
  /**
   * The latest work on each issue. New work starts when the previous work on the same issue has
   * ended.
   */
  const latest = new Map<IssueId, Promise<void>>();
  /**
   * Outcomes that are not in the journal yet, by intent. They are kept, because running a command
   * again could contradict its first outcome. For example, a worker that started and has since
   * exited would be recorded as failed to start.
   */
  const unwritten = new Map<number, IntentOutcome>();

  async function run(issue: IssueId, commands: readonly NumberedCommand[]): Promise<void> {
    let failed: IntentOutcome | undefined;
    const ahead = prepareWorkspaceAhead(commands);
    for (const { intent, command } of commands) {
      if (ended.signal.aborted) return;
      // After a failed command, later ones would act on an issue in an unexpected state, so they
      // are not run.
      const outcome =
        unwritten.get(intent) ??
        (failed === undefined ? await runWithRetries(command, ahead) : createSkippedOutcome(command, failed));
      if (outcome === undefined) return;
      if (outcome.outcome === 'failed' && command.kind !== 'clean_workspace') failed ??= outcome;
      if (outcome.outcome === 'done') unwritten.set(intent, outcome);
      await settle(intent, outcome);
      unwritten.delete(intent);
    }
    if (failed === undefined) {
      context.problems.resolve(`issue ${issue}`);
      backoff.recordSuccess(issue);
    } else backoff.recordFailure(issue);
    context.wake(issue);
  }

  /**
   * Prepares the worker's workspace while earlier commands are running. This is safe, because the
   * spawn intent is already durable.
   */
  function prepareWorkspaceAhead(
    commands: readonly NumberedCommand[],
  ): Promise<PreparedWorkspace> | undefined {
    const start = commands.slice(1).find(({ command }) => command.kind === 'spawn');
    if (start?.command.kind !== 'spawn' || unwritten.has(start.intent) || ended.signal.aborted)
      return undefined;
    return prepareAhead(context, start.command, ended.signal);
  }

  /**
   * If the journal refused an outcome, tries again after a pause, because an open intent blocks its
   * issue.
   */
  async function runAgain(issue: IssueId, error: unknown): Promise<void> {
    if (ended.signal.aborted) return;
    context.problems.report(`issue ${issue}`, error);
    await context.clock.sleep(UNWRITTEN_PAUSE_MS, ended.signal).catch(() => undefined);
    const open = [...context.ledger.state.intents].filter(([, { command }]) => command.issue === issue);
    const left = open.map(([intent, { command }]) => ({ intent, command }));
    if (!ended.signal.aborted) await run(issue, left).catch((cause: unknown) => runAgain(issue, cause));
  }

  async function settle(intent: number, { outcome, detail, events }: IntentOutcome): Promise<void> {
    await context.ledger.append((state) =>
      state.intents.has(intent)
        ? [...(events?.(state) ?? []), { type: 'intent.settled', intent, outcome, detail }]
        : [],
    );
  }

  /**
   * Returns undefined when the daemon stops. The intent stays open, and the next start resumes it.
   */
  async function runWithRetries(
    command: Command,
    ahead?: Promise<PreparedWorkspace>,
  ): Promise<IntentOutcome | undefined> {
    for (const [round, pause] of [...RETRY_AFTER_MS, undefined].entries()) {
      try {
        return await performCommand(context, command, ended.signal, round === 0 ? ahead : undefined);
      } catch (error) {
        if (ended.signal.aborted) return undefined;
        // Keeps the intent open in two cases: a worker may be running, so the host has to answer
        // first; or a pause may already be on the board, so a person must be notified of it.
        if (pause === undefined && (isStartUnobservable(command, error) || isUnreportedPause(command, error)))
          throw error;
        if (pause === undefined || !(error instanceof LegionError) || !error.retryable)
          return createFailedOutcome(command, error);
        await wait(command, Math.max(pause, computeRetryDelay(error)), error);
      }
      if (ended.signal.aborted) return undefined;
    }
    return undefined;
  }

  /**
   * Waits before a retry. Reports a long wait as a problem, because nothing else happens on this
   * issue until then.
   */
  async function wait(command: Command, ms: number, error: LegionError): Promise<void> {
    if (error.retryAt !== undefined) context.problems.report(`issue ${command.issue}`, error);
    await context.clock.sleep(ms, ended.signal).catch(() => undefined);
  }

  /**
   * Returns how long to wait before querying a rate-limited service again, because it would refuse
   * an earlier request.
   */
  function computeRetryDelay({ retryAt }: LegionError): number {
    return retryAt === undefined ? 0 : Math.min(retryAt - context.clock.now(), MAX_RETRY_WAIT_MS);
  }

  function createFailedOutcome(command: Command, error: unknown): IntentOutcome {
    const { code, message } = toFault(error);
    context.problems.report(`issue ${command.issue}`, error);
    // Workers of other issues would fail the same way, so the preflight checks the submodules again
    // and blocks those workers too.
    if (code === 'git.submodule_failed') context.preflight.rerunBaselines();
    const detail = `${code}: ${message}`;
    return { outcome: 'failed', detail, events: () => buildFailureEvents(command, code, detail) };
  }

  function begin(issue: IssueId, commands: readonly NumberedCommand[]): Promise<void> {
    const before = latest.get(issue) ?? Promise.resolve();
    const work = before
      .then(() => run(issue, commands))
      .catch((error: unknown) => runAgain(issue, error))
      .finally(() => {
        if (latest.get(issue) === work) latest.delete(issue);
      });
    latest.set(issue, work);
    return work;
  }

  return {
    begin,
    waitForIssue: (issue) => latest.get(issue) ?? Promise.resolve(),
    async stop() {
      ended.abort();
      await Promise.all(latest.values());
    },
  };
}

function isStartUnobservable({ kind }: Command, error: unknown): boolean {
  return kind === 'spawn' && error instanceof LegionError && error.code === 'host.unavailable';
}

function isUnreportedPause(command: Command, error: unknown): boolean {
  const pauses = command.kind === 'write_issue' && command.add.includes('legion-paused');
  return pauses && error instanceof LegionError && error.retryable;
}

/**
 * Ends an attempt that was claimed but could not be started. The attempt is recorded as failed, so
 * that it is not retried endlessly.
 */
function buildFailureEvents(command: Command, code: FaultCode, detail: string): EventBody[] {
  if (command.kind !== 'spawn') return [];
  const { issue, mode, attempt } = command;
  // These failures are not the worker's fault: missing capacity is the host's problem, broken
  // submodules are the repository's, and an outage is the service's.
  if (code === 'worker.no_capacity' || code === 'git.submodule_failed' || isServiceUnavailable(code))
    return [{ type: 'attempt.stopped', issue, mode, attempt, why: detail }];
  return [{ type: 'attempt.crashed', issue, mode, attempt, evidence: [`could not be started: ${detail}`] }];
}

/** Whether the tracker or forge may respond to a later request. */
function isServiceUnavailable(code: FaultCode): boolean {
  return CATALOGUE[code].nature === 'retryable' && /^(?:tracker|forge|github)\./.test(code);
}

function createSkippedOutcome(command: Command, { detail }: IntentOutcome): IntentOutcome {
  const why = `not run, because an earlier command failed (${detail})`;
  if (command.kind !== 'spawn') return { outcome: 'superseded', detail: why };
  const { issue, mode, attempt } = command;
  const stopped: EventBody = { type: 'attempt.stopped', issue, mode, attempt, why };
  return { outcome: 'superseded', detail: why, events: () => [stopped] };
}
