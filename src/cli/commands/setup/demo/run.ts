/**
 * Runs the demo once: starts its daemon, puts the issues on the board, follows them, and stops
 * everything it started.
 */
import { join } from 'node:path';
import { recordConsent, toRequestedTrust } from '../../../../config/consent.ts';
import { LegionError } from '../../../../core/model/fault.ts';
import { isLive, isWaiting } from '../../../../core/model/lifecycle.ts';
import { DemoHistory } from '../../../../demo/history.ts';
import type { DemoFolder } from '../../../../demo/lay-out.ts';
import { runMainTests } from '../../../../demo/main-tests.ts';
import { PERSON } from '../../../../demo/person.ts';
import type { NumberedStory } from '../../../../demo/stories.ts';
import { buildDemoIssueSummary, type DemoSummary, listSuggestions } from '../../../../demo/summary.ts';
import { isRunning } from '../../../../lib/process/proc-table.ts';
import { unwrap } from '../../../../lib/result.ts';
import { adminEndpoints } from '../../../../protocol/endpoints/admin.ts';
import { issueActionEndpoints } from '../../../../protocol/endpoints/issue-actions.ts';
import { issueEndpoints } from '../../../../protocol/endpoints/issues.ts';
import { workerEndpoints } from '../../../../protocol/endpoints/workers.ts';
import type { WorkerView } from '../../../../protocol/workers.ts';
import { createDaemonClient, type DaemonClient } from '../../../daemon-client.ts';
import { openDashboard, SINGLE_USE_NOTICE } from '../../../dashboard.ts';
import { findLegionLocation, type LegionLocation } from '../../../legion-location.ts';
import { getOperatorName } from '../../../parse-names.ts';
import type { CommandContext } from '../../../program/define-command.ts';
import { approveShown, listUnapprovedCommands } from '../../../repository-at.ts';
import { waitFor } from '../../../wait-for.ts';
import { startInBackground } from '../../daemon/up/background.ts';
import type { DemoBoard } from './board.ts';
import { openPlay } from './play.ts';
import type { DemoReporter } from './reporters.ts';

/** Log file of a background daemon, in its state directory. */
const DAEMON_LOG = 'daemon.log';

export interface DemoRunOptions {
  readonly keep: boolean;
  /** If true, opens the dashboard in the browser before any issue is put on the board. */
  readonly open: boolean;
  readonly withinMs: number;
}

export interface DemoResult {
  readonly summary: DemoSummary;
  /** For each unfinished issue, the reason why it is waiting. */
  readonly unfinished: readonly string[];
  /** Mistakes that are visible on the board although all issues are Done. */
  readonly differs: readonly string[];
}

/**
 * Runs the demo. Rejects if the demo could not run at all or was interrupted. After a rejection, no
 * process of the demo keeps running.
 */
export async function runDemo(
  demo: DemoFolder,
  board: DemoBoard,
  options: DemoRunOptions,
  reporter: DemoReporter,
  context: CommandContext,
): Promise<DemoResult> {
  const startedAt = Date.now();
  const legion = findLegionLocation({ cwd: demo.folder, env: demo.environment }, {});
  reporter.reportStep(`folder ${demo.folder}`);
  const { github } = board.serviceOptions;
  if (github !== undefined) {
    const { makeDemoClone } = await import('./github-board.ts');
    await makeDemoClone(github, legion.paths, demo.environment);
  }
  // Choosing a real agent for a demo is taken as consent, which is recorded in the demo's own state
  // directory.
  const trust = toRequestedTrust(legion.resolved.config);
  if (trust !== undefined)
    unwrap(recordConsent(legion.state, trust, { by: getOperatorName(), at: startedAt }));
  await startDemoDaemon(legion, demo, context);
  let leave = false;
  try {
    const result = await executeDemo(
      demo,
      board,
      legion,
      { began: startedAt, ...options },
      reporter,
      context,
    );
    leave = options.keep;
    return result;
  } finally {
    reporter.close();
    if (!leave) await endDaemon(legion.state);
  }
}

/**
 * Starts the demo's daemon. This cannot be interrupted, because a half-started daemon could not be
 * stopped. It takes less than a second.
 */
async function startDemoDaemon(
  legion: LegionLocation,
  demo: DemoFolder,
  context: CommandContext,
): Promise<void> {
  const { signal } = new AbortController();
  await startInBackground(legion, { ...context, cwd: demo.folder, env: demo.environment, signal });
  if (!context.signal.aborted) return;
  await endDaemon(legion.state);
  context.signal.throwIfAborted();
}

async function executeDemo(
  demo: DemoFolder,
  board: DemoBoard,
  { state }: LegionLocation,
  { began, keep, open, withinMs }: DemoRunOptions & { readonly began: number },
  reporter: DemoReporter,
  context: CommandContext,
): Promise<DemoResult> {
  const { signal } = context;
  const daemon = createDaemonClient(state, signal);
  reporter.reportStep(`daemon ${daemon.file.url}, pid ${daemon.file.pid}`);
  if (open) {
    const { url, opened } = await openDashboard(daemon, '/ui/', true, context);
    reporter.reportStep(
      opened ? 'opened the dashboard in your browser' : `dashboard ${url} (${SINGLE_USE_NOTICE})`,
    );
  }
  const history = new DemoHistory();
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
  const play = openPlay({ state, board, chronicle: history, show: reporter, signal: inTime });
  const isDone = await play.run(() => prepareDemoBoard(board, daemon, reporter));
  signal.throwIfAborted();

  const unfinished = isDone ? [] : await describeUnfinished(daemon, history, demo.stories);
  if (isDone) reporter.reportStep('running the tests of the sample project on its main branch');
  if (isDone) await board.updateMain(demo);
  const tests = isDone ? await runMainTests(demo, signal) : undefined;
  const differs = isDone ? await board.findMistakes(signal) : [];
  const issues = await readIssueSummaries(daemon, history, demo);
  const areDone = isDone && issues.every(({ status }) => status === 'Done');
  const ok = areDone && tests?.passed === true && differs.length === 0;
  const log = join(state, DAEMON_LOG);
  const facts = { ok, durationMs: Date.now() - began, folder: demo.folder, log, kept: keep };
  const outcome = { ...facts, issues, person: play.person, tests };
  return { summary: { ...outcome, look: listSuggestions(outcome, demo) }, unfinished, differs };
}

/** Summarises each issue, with its final status from the board. */
async function readIssueSummaries(
  daemon: DaemonClient,
  history: DemoHistory,
  { stories }: DemoFolder,
): Promise<DemoSummary['issues']> {
  const board = await daemon.call(issueEndpoints.list);
  return stories
    .flatMap(({ id }) => board.filter((issue) => issue.id === id))
    .map((issue) => buildDemoIssueSummary(issue, history));
}

/** Takes the operator's first steps: approves the repository's commands and creates the issues. */
async function prepareDemoBoard(
  board: DemoBoard,
  daemon: DaemonClient,
  reporter: DemoReporter,
): Promise<void> {
  const pending = await listUnapprovedCommands(daemon);
  const names = pending.flatMap(({ commands }) =>
    Object.entries(commands).map(([name, argv]) => `${name} (${argv.join(' ')})`),
  );
  await approveShown(daemon, PERSON, pending);
  reporter.reportPersonAct(undefined, `approve the repository’s commands: ${names.join(', ')}`);
  for (const story of board.stories) {
    await board.submit(story, daemon);
    reporter.reportPersonAct(story.id, `create the issue “${story.title}”: ${story.shows}`);
  }
}

/** Returns the daemon's explanation of what each unfinished issue is waiting for. */
async function describeUnfinished(
  daemon: DaemonClient,
  history: DemoHistory,
  stories: readonly NumberedStory[],
): Promise<readonly string[]> {
  const unfinished = stories.filter(({ id }) => history.getIssue(id).status !== 'Done');
  if (unfinished.length === 0) return ['All issues are Done, but a worker is still running.'];
  return Promise.all(unfinished.map(({ id }) => explainWait(daemon, id)));
}

async function explainWait(daemon: DaemonClient, issue: string): Promise<string> {
  try {
    const { state } = await daemon.call(issueActionEndpoints.explain, { params: { id: issue } });
    return `${issue} is in ${state.status}: ${state.says} It continues when ${state.until.what}.`;
  } catch (error) {
    if (!(error instanceof LegionError)) throw error;
    return `${issue} cannot be explained: ${error.message} [${error.code}]`;
  }
}

/** Longer than the demo's whole stop sequence: 1 s of grace, SIGTERM, 2 s, SIGKILL. */
const WORKERS_MS = 8_000;
/**
 * Time limit for creating six workspaces one after the other. This usually takes 2 s, but many
 * times longer under heavy load.
 */
const STARTING_MS = 20_000;
/** Before it exits, the daemon only finishes its current write. */
const DAEMON_MS = 10_000;
const END_POLL_MS = 25;

/**
 * Stops the demo's daemon and its remaining workers, because an interrupted demo must leave nothing
 * running. This function cannot be interrupted, but the timeouts above limit how long it takes.
 */
async function endDaemon(state: string): Promise<void> {
  const { signal } = new AbortController();
  try {
    const daemon = createDaemonClient(state, signal);
    await endWorkers(daemon, signal);
    await daemon.call(adminEndpoints.shutdown);
    const { pid } = daemon.file;
    const checkExited = async () => (isRunning(pid) ? undefined : true);
    const bounds = { everyMs: END_POLL_MS, boundMs: DAEMON_MS, signal };
    // Killing this pid is safe: this process started the daemon, and the daemon has just answered.
    if ((await waitFor(checkExited, bounds)) === undefined) process.kill(pid, 'SIGKILL');
  } catch (error) {
    // The daemon has already exited or never started, which is the desired state.
    if (!(error instanceof LegionError && error.code.startsWith('daemon.'))) throw error;
  }
}

async function endWorkers(daemon: DaemonClient, signal: AbortSignal): Promise<void> {
  if ((await listRemainingWorkers(daemon)).length === 0) return;
  // The legion is paused first, so that no new workers replace the stopped ones.
  const why = 'the demo ends';
  await daemon.call(adminEndpoints.pause, { body: { by: 'demo', why } });
  // A worker that is still starting can be stopped reliably only once it has a process.
  const findStarted = async () => {
    const workers = await listRemainingWorkers(daemon);
    return workers.every(({ pid }) => pid !== undefined) ? workers : undefined;
  };
  const bounds = { everyMs: END_POLL_MS, signal };
  const present =
    (await waitFor(findStarted, { ...bounds, boundMs: STARTING_MS })) ?? (await listRemainingWorkers(daemon));
  await Promise.all(present.map((worker) => stopWorker(daemon, worker)));
  const checkStopped = async () => ((await listRemainingWorkers(daemon)).length === 0 ? true : undefined);
  await waitFor(checkStopped, { ...bounds, boundMs: WORKERS_MS });
}

async function listRemainingWorkers(daemon: DaemonClient): Promise<readonly WorkerView[]> {
  const workers = await daemon.call(workerEndpoints.list);
  return workers.filter(
    ({ status, pid, exit }) =>
      exit === undefined && (pid !== undefined || isLive(status) || isWaiting(status)),
  );
}

async function stopWorker(daemon: DaemonClient, { id }: WorkerView): Promise<void> {
  try {
    await daemon.call(workerEndpoints.stop, { params: { id } });
  } catch (error) {
    // The worker may have exited by now.
    if (!(error instanceof LegionError)) throw error;
  }
}
