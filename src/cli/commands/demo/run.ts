/** One run of the demo: starts its daemon, puts the issues on the board, follows them, and leaves nothing behind. */
import { join } from 'node:path';
import { recordConsent, trustAskedBy } from '../../../config/consent.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { Chronicle } from '../../../demo/history.ts';
import type { DemoPlace } from '../../../demo/lay-out.ts';
import { sightsOf } from '../../../demo/look.ts';
import { testMain } from '../../../demo/main-tests.ts';
import { PERSON } from '../../../demo/person.ts';
import type { NumberedStory } from '../../../demo/stories.ts';
import { issueSummary, type Summary } from '../../../demo/summary.ts';
import { unwrap } from '../../../lib/result.ts';
import { issueActionEndpoints } from '../../../protocol/endpoints/issue-actions.ts';
import { issueEndpoints } from '../../../protocol/endpoints/issues.ts';
import type { CommandContext } from '../../command.ts';
import { type DaemonClient, daemonClient } from '../../daemon-client.ts';
import { findPlace, type Place } from '../../legion-location.ts';
import { ONCE, openDashboard } from '../../open-dashboard.ts';
import { operatorName } from '../../operator.ts';
import { approveShown, unapprovedCommands } from '../../repository-commands.ts';
import type { DemoBoard } from '../setup/demo/board.ts';
import { startInBackground } from '../up/background.ts';
import { endDaemon } from './end-daemon.ts';
import { openPlay } from './play.ts';
import type { Show } from './show.ts';

/** Where a daemon in the background writes, in its state folder. */
const DAEMON_LOG = 'daemon.log';

export interface Wishes {
  readonly keep: boolean;
  /** In the browser, before anything happens. */
  readonly open: boolean;
  readonly withinMs: number;
}

export interface Result {
  readonly summary: Summary;
  /** What each unfinished issue waits for. */
  readonly unfinished: readonly string[];
  /** What the board shows although all is Done. */
  readonly differs: readonly string[];
}

/** Rejects where the demo could not be carried out at all, or was interrupted; nothing of it runs then. */
export async function runDemo(
  place: DemoPlace,
  board: DemoBoard,
  wishes: Wishes,
  show: Show,
  context: CommandContext,
): Promise<Result> {
  const began = Date.now();
  const legion = findPlace({ cwd: place.folder, env: place.environment }, {});
  show.step(`folder ${place.folder}`);
  const { github } = board.surroundings;
  if (github !== undefined) {
    const { makeDemoClone } = await import('./github-sample.ts');
    await makeDemoClone(github, legion.paths, place.environment);
  }
  // Whoever names a real agent for a demo has agreed to it; the demo has its own state folder.
  const trust = trustAskedBy(legion.resolved.config);
  if (trust !== undefined) unwrap(recordConsent(legion.state, trust, { by: operatorName(), at: began }));
  await start(legion, place, context);
  let leave = false;
  try {
    const result = await carryOut(place, board, legion, { began, ...wishes }, show, context);
    leave = wishes.keep;
    return result;
  } finally {
    show.close();
    if (!leave) await endDaemon(legion.state);
  }
}

/** Not to be interrupted: a daemon that is half started could not be ended. It takes less than a second. */
async function start(legion: Place, place: DemoPlace, context: CommandContext): Promise<void> {
  const { signal } = new AbortController();
  await startInBackground(legion, { ...context, cwd: place.folder, env: place.environment, signal });
  if (!context.signal.aborted) return;
  await endDaemon(legion.state);
  context.signal.throwIfAborted();
}

async function carryOut(
  place: DemoPlace,
  board: DemoBoard,
  { state }: Place,
  { began, keep, open, withinMs }: Wishes & { readonly began: number },
  show: Show,
  context: CommandContext,
): Promise<Result> {
  const { signal } = context;
  const daemon = daemonClient(state, signal);
  show.step(`daemon ${daemon.file.url}, pid ${daemon.file.pid}`);
  if (open) {
    const { url, opened } = await openDashboard(daemon, '/ui/', true, context);
    show.step(opened ? 'the dashboard is open in your browser' : `dashboard ${url} (${ONCE})`);
  }
  const chronicle = new Chronicle();
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
  const play = openPlay({ state, board, chronicle, show, signal: inTime });
  const isDone = await play.run(() => fillBoard(board, daemon, show));
  signal.throwIfAborted();

  const unfinished = isDone ? [] : await whatIsMissing(daemon, chronicle, place.stories);
  if (isDone) show.step('running the tests of the sample project on its main branch');
  if (isDone) await board.bringMain(place);
  const tests = isDone ? await testMain(place, signal) : undefined;
  const differs = isDone ? await board.complaints(signal) : [];
  const issues = await summaries(daemon, chronicle, place);
  const areDone = isDone && issues.every(({ status }) => status === 'Done');
  const ok = areDone && tests?.passed === true && differs.length === 0;
  const log = join(state, DAEMON_LOG);
  const facts = { ok, durationMs: Date.now() - began, folder: place.folder, log, kept: keep };
  const outcome = { ...facts, issues, person: play.person, tests };
  return { summary: { ...outcome, look: sightsOf(outcome, place) }, unfinished, differs };
}

/** The board has the last word on where an issue is. */
async function summaries(
  daemon: DaemonClient,
  chronicle: Chronicle,
  { stories }: DemoPlace,
): Promise<Summary['issues']> {
  const board = await daemon.call(issueEndpoints.list);
  return stories
    .flatMap(({ id }) => board.filter((issue) => issue.id === id))
    .map((issue) => issueSummary(issue, chronicle));
}

/** The operator's first steps, as anybody would take them: approve the repository's commands, write the issues. */
async function fillBoard(board: DemoBoard, daemon: DaemonClient, show: Show): Promise<void> {
  const pending = await unapprovedCommands(daemon);
  const names = pending.flatMap(({ commands }) =>
    Object.entries(commands).map(([name, argv]) => `${name} (${argv.join(' ')})`),
  );
  await approveShown(daemon, PERSON, pending);
  show.person(undefined, `let the repository’s commands run: ${names.join(', ')}`);
  for (const story of board.stories) {
    await board.submit(story, daemon);
    show.person(story.id, `write the issue “${story.title}”: ${story.shows}`);
  }
}

/** What each issue that is not Done waits for, in the daemon's own words. */
async function whatIsMissing(
  daemon: DaemonClient,
  chronicle: Chronicle,
  stories: readonly NumberedStory[],
): Promise<readonly string[]> {
  const unfinished = stories.filter(({ id }) => chronicle.of(id).status !== 'Done');
  if (unfinished.length === 0) return ['all issues are Done, but a worker has not ended'];
  return Promise.all(unfinished.map(({ id }) => waitsFor(daemon, id)));
}

async function waitsFor(daemon: DaemonClient, issue: string): Promise<string> {
  try {
    const { state } = await daemon.call(issueActionEndpoints.explain, { params: { id: issue } });
    return `${issue} is in ${state.status}: ${state.says} It goes on when ${state.until.what}.`;
  } catch (error) {
    if (!(error instanceof LegionError)) throw error;
    return `${issue} cannot be explained: ${error.message} [${error.code}]`;
  }
}
