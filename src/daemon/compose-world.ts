/** Opens every adapter a legion works with, as its configuration says, and makes one world of them. */

import { hostname } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { LegionConfig } from '../config/legion/schema.ts';
import { type LegionPaths, workspaceRoot } from '../config/paths.ts';
import type { IssueId } from '../core/model/ids.ts';
import type { Environment } from '../domain/environment.ts';
import { openLocalHost } from '../hosts/local/local-host.ts';
import { openSqliteJournal } from '../journal/sqlite/sqlite-journal.ts';
import { createEmitter } from '../lib/async/emitter.ts';
import { systemClock } from '../lib/async/system-clock.ts';
import { unwrap } from '../lib/result.ts';
import { openGitWorktrees } from '../workspaces/git-worktree/git-worktrees.ts';
import { BoardView } from './board-view.ts';
import { agentsAtHand, openAgents } from './compose-agents.ts';
import { entriesOf, openCode } from './compose-code.ts';
import { type ConsentWatch, watchConsent } from './compose-consent.ts';
import { environmentFor, searchPath } from './compose-environment.ts';
import { githubPermissions, openGithubSide, usesGithub } from './compose-github.ts';
import type { RepositoryEntry } from './compose-ground.ts';
import { linearTracker } from './compose-linear.ts';
import { openPlaces, type PlacesOptions } from './compose-places.ts';
import { openReceivers } from './compose-receivers.ts';
import type { OpenRepositories } from './compose-repositories.ts';
import { roleEnvironment } from './compose-role.ts';
import {
  type GithubSide,
  githubTracker,
  type LinearSide,
  localTracker,
  type OpenTracker,
  type TrackerOptions,
} from './compose-tracker.ts';
import type { StateFolder } from './composition/open-state-folder.ts';
import { MergesUnderWay } from './context/active-merges.ts';
import { openLedger } from './context/journal-ledger.ts';
import { workerTokens } from './context/worker-tokens.ts';
import type { Receivers } from './desks/webhooks-desk.ts';
import { leaderOnly } from './leader-only.ts';
import { localDay } from './local-day.ts';
import { openQualityGates } from './merging/quality-gates.ts';
import { holdsSomething } from './outbox/in-order.ts';
import { reportLeft } from './outbox/report-left.ts';
import { preflightOf } from './preflight/inspect-repository.ts';
import { watchPermissions } from './preflight/permissions.ts';
import { type RunningPreflight, startPreflight } from './preflight/preflight.ts';
import { presentSettings } from './repositories/settings.ts';
import { Troubles } from './troubles.ts';
import type { World } from './world.ts';

export interface WorldOptions {
  /** Read anew at each use: a reload takes effect with the next look. */
  readonly config: () => LegionConfig;
  readonly folder: string;
  readonly state: StateFolder;
  readonly paths: LegionPaths;
  readonly environment: Environment;
  readonly launcher: readonly [string, ...string[]];
  readonly tell: (what: object, message: string) => void;
  readonly wake: (issue?: IssueId) => void;
}

export interface OpenWorld {
  readonly world: World;
  readonly repositories: OpenRepositories;
  readonly receivers: Receivers;
  readonly consent: ConsentWatch;
  close(): Promise<void>;
}

/** What was opened before something could not be is closed again. */
export async function openWorld(options: WorldOptions): Promise<OpenWorld> {
  const opened: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const shut of opened.toReversed()) await shut();
  };
  try {
    return { ...(await open(options, opened)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(options: WorldOptions, opened: (() => Promise<unknown>)[]) {
  const { state, environment, tell } = options;
  const config = options.config();
  const clock = systemClock;
  const troubles = new Troubles(clock, ({ code, message }) => tell({ code }, message));
  const settings = presentSettings(options.config);
  const journal = await openSqliteJournal(join(state.state, 'journal.db'));
  const ledger = await openLedger(journal, clock, `${hostname()}:${process.pid}`, {
    onSnapshotFailure: (error) => troubles.raise('snapshot', error),
    // One turn of the event loop: all that its callbacks append is one commit.
    gather: () => setImmediate(),
  });
  opened.push(() => ledger.close());
  const entries = await entriesOf(options);
  const github = usesGithub(config) ? await openGithubSide(options, entries, opened) : undefined;
  const ofTracker = { config: options.config, settings, state: state.state, clock, troubles };
  const tracking = await openTracker(ofTracker, options, github);
  opened.push(tracking.close);
  const guarded = leaderOnly(ledger);
  const view = new BoardView();
  const branches = createEmitter<string>();
  let preflight: RunningPreflight | undefined;
  const seen = (issue: IssueId) => tracking.linear?.seen.get(issue) ?? view.of(issue)?.issue;
  const places = tracking.linear && placesOn(entries, tracking.linear, { troubles, state: state.state });
  const repositories = await openCode(
    entries,
    {
      ...{ world: options, github, seen, places },
      environment,
      clock,
      troubles,
      guarded: guarded.forge,
      news: branches.subscribe,
      changed: () => preflight?.wake(),
    },
    opened,
  );
  const groundOf = (common: string) =>
    repositories.all.find(({ ground }) => ground.common === common)?.ground;
  const root = unwrap(workspaceRoot(config, options.paths, options.environment));
  const workspaces = await openGitWorktrees({
    ...{ root, legion: config.legion, environment },
    baseFor: (common) => groundOf(common)?.baseOptions ?? {},
    lookupFor: (common) => groundOf(common)?.lookup,
  });
  const host = await openLocalHost({ folder: join(state.state, 'host'), legion: config.legion, environment });
  const changed = () => options.wake();
  const consent = watchConsent({ state: state.state, config: options.config, troubles, changed });
  opened.push(async () => consent.close());
  const atHand = agentsAtHand(options.config, agentsOf(options), {
    clock,
    troubles,
    changed,
    isConsentGiven: () => consent.isGiven(),
  });
  opened.push(() => atHand.close());
  preflight = startPreflight({
    ...{ clock, troubles, agents: atHand.agents, changed: () => options.wake() },
    repositories: repositories.all.map((repository) =>
      preflightOf(repository, clock, { legion: config.legion, root }),
    ),
    repositoryOf: (issue) => repositories.find(issue)?.name,
    missingColumns: () => tracking.tracker.missingColumns?.() ?? [],
    missingPermissions: watchPermissions(clock, [
      ...(github === undefined ? [] : [githubPermissions(config, github)]),
      ...(tracking.linear === undefined ? [] : [tracking.linear.missingPermissions]),
    ]),
  });
  const watching = preflight;
  opened.push(() => watching.stop());
  const own = { workspaces: guarded.workspaces(workspaces), host: guarded.host(host) };
  const gates = openQualityGates({ clock, ledger, repositories, ...own });
  opened.push(() => gates.close());
  const world: World = {
    gates,
    ...own,
    ...{ legionId: config.legion, clock, ledger, troubles, folders: state, settings, view },
    tracker: guarded.tracker(tracking.tracker),
    board: tracking.board === undefined ? undefined : guarded.board(tracking.board),
    ...{ repositories, policyOf: repositories.policyOf, preflight },
    ...{ agents: atHand.agents, agentOf: atHand.agentOf, noteRefusedLogin: atHand.noteRefusedLogin },
    async environmentFor(worker) {
      const { agent, use } = atHand.agentOf(worker);
      const given = { environment, bin: state.bin, config: options.config() };
      const role = await roleEnvironment(worker, { github, config: options.config(), repositories });
      return { ...environmentFor(given, worker.mode, agent, use), ...role };
    },
    merges: new MergesUnderWay(),
    dayOf: localDay,
    tokens: workerTokens(state.workerSecret),
    wordsLeft: (worker, attempt) => holdsSomething(state.outbox(worker, attempt)),
    reportLeft: (worker, attempt) => reportLeft(state.outbox(worker, attempt)),
    wake: options.wake,
  };
  const receivers = await openReceivers({
    ...{ config: options.config, environment, state: state.state, world },
    ...{ accounts: github?.accounts ?? [], tracker: tracking.github, linear: tracking.linear },
    ...{ tell: branches.emit, note: tell },
  });
  opened.push(receivers.close);
  return { world, repositories, receivers: receivers.byService, consent };
}

async function openTracker(
  ofTracker: TrackerOptions,
  { environment, tell }: WorldOptions,
  github: GithubSide | undefined,
): Promise<OpenTracker> {
  const { backend } = ofTracker.config();
  if (backend === 'linear') return linearTracker({ ...ofTracker, environment, tell });
  if (backend === 'github' && github !== undefined) return githubTracker(ofTracker, github);
  return localTracker(ofTracker);
}

/** With one repository there is nothing to decide. */
function placesOn(
  entries: readonly RepositoryEntry[],
  { seen: board }: LinearSide,
  options: Pick<PlacesOptions, 'state' | 'troubles'>,
) {
  return entries.length < 2 ? undefined : openPlaces({ ...options, entries, board });
}

/** Programs are looked for where workers look for them. */
function agentsOf({ launcher, state, folder, environment }: WorldOptions) {
  const seen = { ...environment, ...searchPath(environment, state.bin) };
  return openAgents({ launcher, state: state.state, folder, environment: seen });
}
