/** A legion at work without its loop: real journal, board, forge and worktrees in one temporary folder. */
import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { folderName, type IssueId, sessionId, workerId } from '../../../src/core/model/ids.ts';
import type { Status } from '../../../src/core/model/status.ts';
import { DEFAULT_POLICY, type Policy } from '../../../src/core/pipeline/policy.ts';
import { type IssueRecord, newIssueRecord, type WorkerRecord } from '../../../src/core/state/state.ts';
import { BoardView } from '../../../src/daemon/board-view.ts';
import { MergesUnderWay } from '../../../src/daemon/context/active-merges.ts';
import { openLedger } from '../../../src/daemon/context/journal-ledger.ts';
import { workerTokens } from '../../../src/daemon/context/worker-tokens.ts';
import type { Speech, WorkerIdentity } from '../../../src/daemon/daemon.ts';
import { openQualityGates } from '../../../src/daemon/merging/quality-gates.ts';
import { ALWAYS_FIT } from '../../../src/daemon/preflight/always-fit.ts';
import type { Repositories, Repository } from '../../../src/daemon/repository.ts';
import type { Settings } from '../../../src/daemon/settings.ts';
import { openSpeech } from '../../../src/daemon/speech/speech.ts';
import { Troubles } from '../../../src/daemon/troubles.ts';
import type { World } from '../../../src/daemon/world.ts';
import type { Mode } from '../../../src/domain/mode.ts';
import { openLocalForge } from '../../../src/forges/local/local-forge.ts';
import { DEFAULT_BUDGETS } from '../../../src/health/budget.ts';
import type { Host } from '../../../src/hosts/host.ts';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import type { LocalBoard } from '../../../src/ports/board-editor.ts';
import type { Forge } from '../../../src/ports/forge.ts';
import type { VerbName } from '../../../src/protocol/verb.ts';
import { VERB_ANSWERS, type VerbAnswer } from '../../../src/protocol/verb-answer.ts';
import { openLocalBoard } from '../../../src/trackers/local/open-local-board.ts';
import { openGitWorktrees } from '../../../src/workspaces/git-worktree/git-worktrees.ts';
import { type SettableClock, settableClock } from '../../ports/forge/clock.ts';
import { git } from '../../ports/forge/git.ts';

export interface Working {
  readonly folder: string;
  readonly repository: string;
  readonly clock: SettableClock;
  readonly board: LocalBoard;
  readonly forge: Forge;
  /** Issues that were to be looked at, in order. */
  readonly wakes: string[];
  /** What the operator and the repository allow; a test may change it. */
  policy: Policy;
  /** What the repository's quality gate says; a test may change it. */
  gate: (signal: AbortSignal) => ReturnType<Repository['run']>;
  world: World;
  speech: Speech;
  issue(status: Status, labels?: readonly string[]): Promise<IssueId>;
  /** Dispatches the next attempt. */
  dispatch(issue: IssueId, mode: Mode, agent?: string): Promise<WorkerIdentity>;
  say<V extends VerbName>(
    who: WorkerIdentity,
    verb: V,
    input?: unknown,
    message?: string,
  ): Promise<VerbAnswer<V>>;
  /** Commits in the issue's workspace, which is made where there is none; resolves to the commit. */
  commit(issue: IssueId, files: Readonly<Record<string, string>>): Promise<string>;
  /** The same on the branch alone, at a fraction of the cost: for everything that looks at no workspace. */
  commitToBranch(issue: IssueId, files: Readonly<Record<string, string>>): Promise<string>;
  workspace(issue: IssueId): Promise<string>;
  record(issue: IssueId): IssueRecord;
  worker(who: WorkerIdentity): WorkerRecord;
  /** While `work` runs, nobody can read the pull request of this issue. */
  unreadable<T>(issue: IssueId, work: () => Promise<T>): Promise<T>;
  /** As after a kill of the daemon: everything in memory is gone, everything on disk is there. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

const { PATH, HOME } = process.env;
const ENVIRONMENT = { PATH, HOME };

/** Nobody starts a process here, so whoever tries has lost its way. */
function untouched<T extends object>(what: string): T {
  return new Proxy({} as T, {
    get: () => {
      throw new Error(`${what} is not part of this`);
    },
  });
}

export async function openWorking(): Promise<Working> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'legion-speech-')));
  const repository = join(folder, 'repository');
  await git(folder, 'init', '--quiet', '--template=', '--initial-branch=main', repository);
  await commitIn(repository, { 'README.md': 'A repository\n', 'app.txt': 'one\ntwo\nthree\n' });
  // The base stays out of the way: a merge need not move any checked out files.
  await git(repository, 'checkout', '--quiet', '--detach');
  const clock = settableClock();
  const wakes: string[] = [];
  const board = await openLocalBoard(join(folder, 'board.db'), { prefix: 'A', now: clock.now });
  const pullRequests = join(folder, 'forge', 'pull-requests');
  const forge = await openLocalForge({
    repository,
    base: 'main',
    state: join(folder, 'forge'),
    identity: { name: 'Legion', email: 'legion@example.org' },
    clock,
    environment: ENVIRONMENT,
  });
  const worktrees = {
    root: join(folder, 'workspaces'),
    legion: 'demo',
    environment: ENVIRONMENT,
  };
  const workspaces = await openGitWorktrees(worktrees);

  async function openWorld(): Promise<World> {
    const journal = await openSqliteJournal(join(folder, 'journal.db'));
    const settings: Settings = {
      ...{ autoAdvance: true, columns: {}, staggerMs: 0, checkWaitMs: 3_600_000, health: {} },
      budgets: DEFAULT_BUDGETS,
      places: { workers: 10, perMode: {} },
      polling: { normalMs: 1_000, holding: [] },
      room: { diskBytes: 0, memoryBytes: 0 },
    };
    const ledger = await openLedger(journal, clock, 'test', { onSnapshotFailure: () => undefined });
    const host = { ...untouched<Host>('a host'), name: 'here' };
    const repositories = onlyOne({
      ...untouchedRepository(),
      name: 'repository',
      path: repository,
      base: 'main',
      baseRef: 'main',
      forge,
      run: (_command, _workspace, _issue, signal) => working.gate(signal),
    });
    return {
      legionId: 'demo',
      clock,
      ledger,
      tracker: board,
      board,
      repositories,
      policyOf: () => working.policy,
      preflight: ALWAYS_FIT,
      workspaces,
      host,
      gates: openQualityGates({ clock, ledger, repositories, workspaces, host }),
      agents: { choicesFor: () => untouched('agents'), readinessOf: () => untouched('agents') },
      noteRefusedLogin: () => untouched('agents'),
      agentOf: () => untouched('an agent'),
      environmentFor: async () => ({}),
      settings: () => settings,
      view: new BoardView(),
      troubles: new Troubles(clock, () => undefined),
      tokens: workerTokens('0123456789abcdef'.repeat(4)),
      folders: {
        state: join(folder, 'state'),
        socket: join(folder, 'state', 'daemon.sock'),
        outbox: (worker, attempt) => join(folder, 'state', 'outbox', folderName(worker), String(attempt)),
      },
      merges: new MergesUnderWay(),
      wordsLeft: async () => false,
      reportLeft: async () => 'none',
      wake: (issue) => wakes.push(issue ?? 'everything'),
    };
  }

  let issues = 0;
  const working: Working = {
    folder,
    repository,
    clock,
    board,
    forge,
    wakes,
    policy: { ...DEFAULT_POLICY, qualityGate: 'configured' },
    gate: async () => ({ verdict: 'passed', why: 'it ended with 0', tail: '' }),
    world: untouched('a world before it is open'),
    speech: untouched('speech before it is open'),
    issue(status, labels = []) {
      issues += 1;
      const text = { title: `Issue ${issues}`, body: 'Do it.', priority: 0, blockedBy: [] } as const;
      return board.create(`issue ${issues}`, { ...text, status, labels });
    },
    async dispatch(issue, mode, agent) {
      const { ledger, legionId } = working.world;
      const before = ledger.swarm.workers.get(workerId(issue, mode));
      const attempt = (before?.attempt ?? 0) + 1;
      const session = sessionId(legionId, issue, mode);
      await ledger.append([
        { type: 'attempt.dispatched', issue, mode, attempt, session, version: 0, host: 'here', agent },
        { type: 'attempt.active', issue, mode, attempt },
      ]);
      return { issue, mode, attempt };
    },
    async say(who, verb, input = {}, message) {
      const answer = await working.speech.say(who, verb, input, message);
      // Every answer has the form its reader expects.
      return VERB_ANSWERS[verb].parse(answer) as never;
    },
    async commit(issue, files) {
      return commitIn(await working.workspace(issue), files);
    },
    commitToBranch: (issue, files) => importCommit(repository, issue, files),
    workspace: async (issue) => (await workspaces.ensure(issue, repository)).path,
    record: (issue) => working.world.ledger.swarm.issues.get(issue) ?? newIssueRecord(issue),
    worker({ issue, mode }) {
      const worker = working.world.ledger.swarm.workers.get(workerId(issue, mode));
      if (worker === undefined) throw new Error(`there is no ${mode} worker of ${issue}`);
      return worker;
    },
    async unreadable(issue, work) {
      const broken = join(pullRequests, `99999.${folderName(issue)}.json`);
      await writeFile(broken, 'torn');
      try {
        return await work();
      } finally {
        await rm(broken);
      }
    },
    async restart() {
      await working.world.gates.close();
      await working.world.ledger.close();
      working.world = await openWorld();
      working.speech = openSpeech(working.world);
    },
    async close() {
      await working.world.gates.close();
      await working.world.ledger.close();
      await forge.close();
      await board.dispose();
      rmSync(folder, { recursive: true });
    },
  };
  working.world = await openWorld();
  working.speech = openSpeech(working.world);
  return working;
}

/** Its own commands are none of a worker's business. */
export function onlyOne(repository: Repository): Repositories {
  return { all: [repository], find: () => repository, of: () => repository, settle: () => repository };
}

function untouchedRepository(): Omit<Repository, 'name' | 'path' | 'base' | 'baseRef' | 'forge'> {
  const never = () => Promise.reject(new Error('the repository’s commands are not part of this'));
  return {
    renew: never,
    differences: never,
    commands: never,
    approve: never,
    run: never,
    prompts: never,
    promptCommands: never,
    instructions: never,
  };
}

/** One process makes files, commit and branch; it goes on from where the branch is, or else from the base. */
async function importCommit(
  repository: string,
  branch: string,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const heads = await git(repository, 'for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`);
  const text = (given: string) => `data ${Buffer.byteLength(given)}\n${given}\n`;
  const commit = [
    `commit refs/heads/${branch}\nmark :1\ncommitter Worker <worker@example.org> 1700000000 +0000\n${text('Work')}`,
    `from ${heads === '' ? 'refs/heads/main^0' : heads}\n`,
    ...Object.entries(files).map(([path, content]) => `M 644 inline ${path}\n${text(content)}`),
    'get-mark :1\ndone\n',
  ].join('');
  return importing(repository, commit);
}

function importing(repository: string, stream: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const args = ['-C', repository, 'fast-import', '--quiet', '--done', '--cat-blob-fd=1'];
    const child = execFile('git', args, (error, printed) =>
      error ? reject(error) : resolve(printed.trim()),
    );
    child.stdin?.end(stream);
  });
}

async function commitIn(folder: string, files: Readonly<Record<string, string>>): Promise<string> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  await git(folder, 'add', '--all');
  await git(folder, 'commit', '--quiet', '-m', 'Work');
  return git(folder, 'rev-parse', 'HEAD');
}
