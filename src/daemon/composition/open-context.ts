/** Opens every configured adapter and assembles the daemon context. */

import { hostname } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { LegionConfig, RepositoryEntry } from '../../config/legion/schema.ts';
import type { LegionPaths } from '../../config/paths.ts';
import { resolveWorkspaceRoot } from '../../config/paths.ts';
import type { LocalDay } from '../../core/health/budget.ts';
import type { EnvironmentVariables } from '../../core/model/environment.ts';
import type { IssueId } from '../../core/model/ids.ts';
import { createGitRunner } from '../../git/runner.ts';
import { openLocalHost } from '../../hosts/local/local-host.ts';
import { openSqliteJournal } from '../../journal/sqlite/sqlite-journal.ts';
import { createEmitter } from '../../lib/async/emitter.ts';
import { systemClock } from '../../lib/async/system-clock.ts';
import { unwrap } from '../../lib/result.ts';
import { openGitWorktrees } from '../../workspaces/git-worktree/git-worktrees.ts';
import { findMisplacedWorkspaces } from '../../workspaces/git-worktree/sweep.ts';
import { findJjProblems } from '../../workspaces/jj/check-programs.ts';
import { openJjWorkspaces } from '../../workspaces/jj/jj-workspaces.ts';
import { ActiveMerges } from '../context/active-merges.ts';
import { ActiveProblems } from '../context/active-problems.ts';
import { BoardView } from '../context/board-view.ts';
import type { DaemonContext } from '../context/daemon-context.ts';
import { openLedger } from '../context/journal-ledger.ts';
import { createWorkerTokens } from '../context/worker-tokens.ts';
import type { WebhookReceivers } from '../daemon.ts';
import { openQualityGates } from '../merging/quality-gates.ts';
import { createRepositoryPreflight } from '../preflight/inspect-repository.ts';
import { type RunningPreflight, startPreflight, watchPermissions } from '../preflight/preflight.ts';
import type { OpenRepositories } from '../repositories/repositories.ts';
import { type IssueRouterOptions, openIssueRouter } from '../repositories/routing.ts';
import { createSettingsReader } from '../repositories/settings.ts';
import { findPendingReport } from '../worker-api/outbox-import/entries.ts';
import { hasPendingMessages } from '../worker-api/outbox-import/outbox-importer.ts';
import { FencedForge } from './fenced-ports/fenced-forge.ts';
import { FencedHost } from './fenced-ports/fenced-host.ts';
import { FencedBoardEditor, FencedTracker } from './fenced-ports/fenced-tracker.ts';
import { FencedWorkspaces } from './fenced-ports/fenced-workspaces.ts';
import {
  buildSearchPath,
  buildWorkerEnvironment,
  type ConsentWatch,
  openAgents,
  openAvailableAgents,
  watchConsent,
} from './open-agents.ts';
import type { GithubServices } from './open-github.ts';
import {
  buildRoleEnvironment,
  createGithubPermissionCheck,
  isGithubUsed,
  openGithubServices,
} from './open-github.ts';
import { openRepositories, resolveRepositoryEntries } from './open-repositories.ts';
import type { OpenRepository } from './open-repository.ts';
import type { StateFolder } from './open-state-folder.ts';
import {
  type LinearConnection,
  openGithubBackend,
  openLinearBackend,
  openLocalBackend,
  type TrackerBackend,
  type TrackerOptions,
} from './open-tracker.ts';
import { openReceivers } from './open-webhooks.ts';

export interface DaemonContextOptions {
  /** Read on every use, so that a reload takes effect in the next reconcile pass. */
  readonly config: () => LegionConfig;
  readonly folder: string;
  readonly state: StateFolder;
  readonly paths: LegionPaths;
  readonly environment: EnvironmentVariables;
  readonly launcher: readonly [string, ...string[]];
  readonly log: (what: object, message: string) => void;
  readonly wake: (issue?: IssueId) => void;
}

export interface OpenDaemonContext {
  readonly context: DaemonContext;
  readonly repositories: OpenRepositories<OpenRepository>;
  readonly receivers: WebhookReceivers;
  readonly consent: ConsentWatch;
  close(): Promise<void>;
}

/** Opens everything in order. If a step fails, closes what is already open. */
export async function openDaemonContext(options: DaemonContextOptions): Promise<OpenDaemonContext> {
  const opened: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const shut of opened.toReversed()) await shut();
  };
  try {
    return { ...(await openAdapters(options, opened)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openAdapters(options: DaemonContextOptions, opened: (() => Promise<unknown>)[]) {
  const { state, environment, log: tell } = options;
  const config = options.config();
  const clock = systemClock;
  const problems = new ActiveProblems(clock, ({ code, message }) => tell({ code }, message));
  const settings = createSettingsReader(options.config);
  const journal = await openSqliteJournal(join(state.state, 'journal.db'));
  const ledger = await openLedger(journal, clock, `${hostname()}:${process.pid}`, {
    onSnapshotFailure: (error) => problems.report('snapshot', error),
    // Waits for one turn of the event loop, so that all events appended during that turn are
    // written in one commit.
    gather: () => setImmediate(),
  });
  opened.push(() => ledger.close());
  const entries = await resolveRepositoryEntries(options);
  const github = isGithubUsed(config)
    ? await openGithubServices({ ...options, state: state.state }, entries, opened)
    : undefined;
  const ofTracker = { config: options.config, settings, state: state.state, clock, problems };
  const tracking = await openTrackerBackend(ofTracker, options, github);
  opened.push(tracking.close);
  const boardView = new BoardView();
  const branches = createEmitter<string>();
  let preflight: RunningPreflight | undefined;
  const seen = (issue: IssueId) => tracking.linear?.seen.get(issue) ?? boardView.find(issue)?.issue;
  const router =
    tracking.linear && openRouterIfNeeded(entries, tracking.linear, { problems, state: state.state });
  const repositories = await openRepositories(
    entries,
    {
      config: options.config,
      folder: options.folder,
      paths: options.paths,
      state: state.state,
      github,
      findSeenIssue: seen,
      router,
      environment,
      clock,
      problems,
      fenceForge: (forge) => new FencedForge(forge, ledger),
      news: branches.subscribe,
      onChange: () => preflight?.wake(),
    },
    opened,
  );
  const findSource = (common: string) =>
    repositories.all.find(({ source: ground }) => ground.common === common)?.source;
  const root = unwrap(resolveWorkspaceRoot(config, options.paths, options.environment));
  const usesJj = config.workspaces.kind === 'jj';
  const workspaceOptions = {
    root,
    legion: config.legion,
    environment,
    baseFor: (common: string) => findSource(common)?.baseOptions ?? {},
    lookupFor: (common: string) => findSource(common)?.lookup,
  };
  const workspaces = usesJj
    ? await openJjWorkspaces({ ...workspaceOptions, identity: await readGitIdentity(environment) })
    : await openGitWorktrees(workspaceOptions);
  const host = await openLocalHost({ folder: join(state.state, 'host'), legion: config.legion, environment });
  const onChange = () => options.wake();
  const consent = watchConsent({
    state: state.state,
    config: options.config,
    problems,
    onChange,
  });
  opened.push(async () => consent.close());
  const atHand = openAvailableAgents(options.config, openConfiguredAgents(options), {
    clock,
    problems,
    onChange,
    isConsentGiven: () => consent.isGiven(),
  });
  opened.push(() => atHand.close());
  preflight = startPreflight({
    clock,
    problems,
    agents: atHand.agents,
    onChange: () => options.wake(),
    repositories: repositories.all.map((repository) =>
      createRepositoryPreflight(repository, clock, {
        root,
        findMisplaced: (common) => findMisplacedWorkspaces(common, config.legion, root),
      }),
    ),
    findWorkspaceProblems: usesJj
      ? () =>
          findJjProblems(
            environment,
            repositories.all.map(({ source }) => source.common),
          )
      : undefined,
    repositoryOf: (issue) => repositories.find(issue)?.name,
    missingColumns: () => tracking.tracker.missingColumns?.() ?? [],
    missingPermissions: watchPermissions(clock, [
      ...(github === undefined ? [] : [createGithubPermissionCheck(config, github)]),
      ...(tracking.linear === undefined ? [] : [tracking.linear.missingPermissions]),
    ]),
  });
  const watching = preflight;
  opened.push(() => watching.stop());
  const own = { workspaces: new FencedWorkspaces(workspaces, ledger), host: new FencedHost(host, ledger) };
  const gates = openQualityGates({ clock, ledger, repositories, ...own });
  opened.push(() => gates.close());
  const context: DaemonContext = {
    gates,
    ...own,
    legionId: config.legion,
    clock,
    ledger,
    problems,
    folders: state,
    settings,
    boardView,
    tracker: new FencedTracker(tracking.tracker, ledger),
    board: tracking.board === undefined ? undefined : new FencedBoardEditor(tracking.board, ledger),
    repositories,
    policyOf: repositories.policyOf,
    preflight,
    agents: atHand.agents,
    agentOf: atHand.agentOf,
    recordRefusedLogin: atHand.recordRefusedLogin,
    async environmentFor(worker) {
      const { agent, use } = atHand.agentOf(worker);
      const launchOptions = { environment, bin: state.bin, config: options.config() };
      const role = await buildRoleEnvironment(worker, {
        credentials: github?.client.credentials,
        config: options.config(),
        repositories,
      });
      return { ...buildWorkerEnvironment(launchOptions, worker.mode, agent, use), ...role };
    },
    merges: new ActiveMerges(),
    dayOf: toLocalDay,
    tokens: createWorkerTokens(state.workerSecret),
    hasPendingMessages: (worker, attempt) => hasPendingMessages(state.outbox(worker, attempt)),
    findPendingReport: (worker, attempt) => findPendingReport(state.outbox(worker, attempt)),
    wake: options.wake,
  };
  const receivers = await openReceivers({
    config: options.config,
    environment,
    state: state.state,
    context,
    accounts: github?.accounts ?? [],
    tracker: tracking.github,
    linear: tracking.linear,
    onBranchChange: branches.emit,
    log: tell,
  });
  opened.push(receivers.close);
  return { context, repositories, receivers: receivers.byService, consent };
}

/** Returns the operator's own identity for commits, which workers in git worktrees use too. */
async function readGitIdentity(environment: EnvironmentVariables) {
  const git = createGitRunner({ environment, personal: true });
  const [name, email] = await Promise.all(
    ['user.name', 'user.email'].map(async (key) => (await git.ask('/', ['config', '--get', key]))?.trim()),
  );
  return name === undefined || email === undefined ? undefined : { name, email };
}

async function openTrackerBackend(
  ofTracker: TrackerOptions,
  { environment, log: tell }: DaemonContextOptions,
  github: GithubServices | undefined,
): Promise<TrackerBackend> {
  const { backend } = ofTracker.config();
  if (backend === 'linear') return openLinearBackend({ ...ofTracker, environment, tell });
  if (backend === 'github' && github !== undefined) return openGithubBackend(ofTracker, github);
  return openLocalBackend(ofTracker);
}

/** With a single repository, issues need not be assigned to one. */
function openRouterIfNeeded(
  entries: readonly RepositoryEntry[],
  { seen: board }: LinearConnection,
  options: Pick<IssueRouterOptions, 'state' | 'problems'>,
) {
  return entries.length < 2 ? undefined : openIssueRouter({ ...options, entries, board });
}

/** Looks for agent programs on the same PATH that workers get. */
function openConfiguredAgents({ launcher, state, folder, environment }: DaemonContextOptions) {
  const seen = { ...environment, ...buildSearchPath(environment, state.bin) };
  return openAgents({ launcher, state: state.state, folder, environment: seen });
}

/** Returns the local day of a timestamp. Pure modules receive the day as data. */
export function toLocalDay(at: number): LocalDay {
  const start = new Date(at);
  start.setHours(0, 0, 0, 0);
  const end = new Date(start);
  // Adds a calendar day instead of 24 h, because a day with a clock change is shorter or longer.
  end.setDate(end.getDate() + 1);
  return { startedAt: start.getTime(), endsAt: end.getTime() };
}
