/** Opens every adapter a legion works with, as its configuration says, and makes one world of them. */
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../config/legion/environment.ts';
import type { LegionConfig } from '../config/legion/schema.ts';
import { expandHome, type LegionPaths } from '../config/paths.ts';
import { LegionError } from '../domain/fault.ts';
import type { IssueId } from '../domain/ids.ts';
import { openLocalHost } from '../hosts/local/local-host.ts';
import { openSqliteJournal } from '../journal/sqlite/sqlite-journal.ts';
import { openLocalBoard } from '../trackers/local/open-local-board.ts';
import { openGitWorktrees } from '../workspaces/git-worktree/git-worktrees.ts';
import { BoardView } from './board-view.ts';
import { agentsAtHand, openAgents } from './compose-agents.ts';
import { boardOfNamed } from './compose-board.ts';
import { environmentFor, searchPath } from './compose-environment.ts';
import { localForge } from './compose-forge.ts';
import { folderGround } from './compose-ground.ts';
import { type OpenRepositories, repositoriesOf } from './compose-repositories.ts';
import { type OpenRepository, openRepository } from './compose-repository.ts';
import { presentSettings } from './compose-settings.ts';
import type { StateFolder } from './compose-state.ts';
import { leaderOnly } from './leader-only.ts';
import { openLedger } from './ledger.ts';
import { holdsSomething } from './outbox/in-order.ts';
import { reportLeft } from './outbox/report-left.ts';
import { systemClock } from './system-clock.ts';
import { Troubles } from './troubles.ts';
import { workerTokens } from './worker-tokens.ts';
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
  refuseWhatIsNotHere(config);
  const clock = systemClock;
  const troubles = new Troubles(clock, ({ code, message }) => tell({ code }, message));
  const journal = await openSqliteJournal(join(state.state, 'journal.db'));
  const ledger = await openLedger(journal, clock, `${hostname()}:${process.pid}`, (error) =>
    troubles.raise('snapshot', error),
  );
  opened.push(() => ledger.close());
  const opening = { prefix: prefixOf(config), now: clock.now };
  const board = boardOfNamed(await openLocalBoard(join(state.state, 'board.db'), opening), troubles);
  opened.push(() => board.dispose());
  const around = { environment, clock, troubles };
  const ground = await folderGround(config.repos[0], options.folder, environment);
  const repository = await openRepository(ground, {
    ...around,
    state: state.state,
    openForge: (parts) => localForge(parts, around),
  });
  opened.push(() => repository.close());
  const workspaces = await openGitWorktrees({
    ...{ root: workspaceRoot(options), legion: config.legion, environment },
    baseFor: () => repository.ground.baseOptions,
  });
  const host = await openLocalHost({
    ...{ folder: join(state.state, 'host'), legion: config.legion, environment },
  });
  const guarded = leaderOnly(ledger);
  const own: OpenRepository = { ...repository, forge: guarded.forge(repository.forge) };
  const repositories = repositoriesOf([own], () => true, options.config);
  const atHand = agentsAtHand(options.config, agentsOf(options), {
    ...{ clock, troubles, changed: () => options.wake() },
  });
  opened.push(() => atHand.close());
  const world: World = {
    ...{ legionId: config.legion, clock, ledger, troubles, folders: state },
    ...{ tracker: guarded.tracker(board), board: guarded.board(board) },
    ...{ workspaces: guarded.workspaces(workspaces), host: guarded.host(host) },
    ...{ repositories, policyOf: repositories.policyOf },
    ...{ agents: atHand.agents, agentOf: atHand.agentOf },
    environmentFor(worker) {
      const { agent, use } = atHand.agentOf(worker);
      return environmentFor(
        { environment, bin: state.bin, config: options.config() },
        worker.mode,
        agent,
        use,
      );
    },
    settings: presentSettings(options.config),
    view: new BoardView(),
    tokens: workerTokens(state.workerSecret),
    wordsLeft: (worker, attempt) => holdsSomething(state.outbox(worker, attempt)),
    reportLeft: (worker, attempt) => reportLeft(state.outbox(worker, attempt)),
    wake: options.wake,
  };
  return { world, repositories };
}

/** Said at the start, not at the first dispatch in the middle of the night. */
function refuseWhatIsNotHere({ backend, forge, workspaces }: LegionConfig): void {
  const missing = [
    backend === 'local' ? [] : [`backend: ${backend}`],
    forge === 'local' ? [] : [`forge: ${forge}`],
    workspaces.kind === 'git-worktree' ? [] : [`workspaces.kind: ${workspaces.kind}`],
  ].flat();
  if (missing.length > 0)
    throw new LegionError('config.unsupported', `${missing.join(', ')} cannot be used yet`);
}

/** Programs are looked for where workers look for them. */
function agentsOf({ launcher, state, folder, environment }: WorldOptions) {
  const seen = { ...environment, ...searchPath(environment, state.bin) };
  return openAgents({ launcher, state: state.state, folder, environment: seen });
}

function workspaceRoot({ config, paths, environment }: WorldOptions): string {
  const { legion, workspaces } = config();
  if (workspaces.root === undefined) return paths.workspaces(legion);
  const root = expandHome(workspaces.root, environment);
  if (!root.ok) throw new LegionError(root.fault.code, root.fault.message);
  return root.value;
}

/** Of the legion's short name or its own: letters and digits, as ids of issues begin. */
function prefixOf({ short_id, legion }: LegionConfig): string {
  const letters = (short_id ?? legion)
    .replace(/[^A-Za-z0-9]/g, '')
    .replace(/^[0-9]+/, '')
    .slice(0, 12);
  return letters === '' ? 'L' : letters.toUpperCase();
}
