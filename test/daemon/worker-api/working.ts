/**
 * Opens a legion without its loop, with a real journal, board, forge and worktrees in one temporary
 * directory.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DEFAULT_BUDGETS } from '../../../src/core/health/budget.ts';
import type { WorkerIdentity } from '../../../src/core/model/ids.ts';
import { computeSessionId, type IssueId, toFolderName, toWorkerId } from '../../../src/core/model/ids.ts';
import type { Mode } from '../../../src/core/model/mode.ts';
import type { Status } from '../../../src/core/model/status.ts';
import { DEFAULT_POLICY, type PipelinePolicy } from '../../../src/core/pipeline/policy.ts';
import { createIssueRecord, type IssueRecord, type WorkerRecord } from '../../../src/core/state/state.ts';
import { ActiveMerges } from '../../../src/daemon/context/active-merges.ts';
import { ActiveProblems } from '../../../src/daemon/context/active-problems.ts';
import { BoardView } from '../../../src/daemon/context/board-view.ts';
import type { DaemonContext, DaemonSettings } from '../../../src/daemon/context/daemon-context.ts';
import { openLedger } from '../../../src/daemon/context/journal-ledger.ts';
import type { Repositories, Repository } from '../../../src/daemon/context/repository.ts';
import { createWorkerTokens } from '../../../src/daemon/context/worker-tokens.ts';
import type { WorkerApi } from '../../../src/daemon/daemon.ts';
import { openQualityGates } from '../../../src/daemon/merging/quality-gates.ts';
import { createWorkerApi } from '../../../src/daemon/worker-api/worker-api.ts';
import { openLocalForge } from '../../../src/integrations/local/forge/local-forge.ts';
import { openLocalBoard } from '../../../src/integrations/local/tracker/open-local-board.ts';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import type { LocalBoard } from '../../../src/ports/board-editor.ts';
import type { Forge } from '../../../src/ports/forge.ts';
import type { Host } from '../../../src/ports/host.ts';
import type { VerbName } from '../../../src/protocol/verb.ts';
import { VERB_ANSWERS, type VerbAnswer } from '../../../src/protocol/verb.ts';
import { ALWAYS_FIT } from '../../../src/sim/daemon.ts';
import { openGitWorktrees } from '../../../src/workspaces/git-worktree/git-worktrees.ts';
import { type SettableClock, settableClock } from '../../ports/forge/clock.ts';
import { git } from '../../ports/forge/git.ts';

export interface Working {
  readonly folder: string;
  readonly repository: string;
  readonly clock: SettableClock;
  readonly board: LocalBoard;
  readonly forge: Forge;
  /** Woken issues, in order. */
  readonly wakes: string[];
  /** Policy of the operator and the repository. Tests may change it. */
  policy: PipelinePolicy;
  /** Result of the repository's quality gate. Tests may change it. */
  gate: (signal: AbortSignal) => ReturnType<Repository['run']>;
  world: DaemonContext;
  speech: WorkerApi;
  issue(status: Status, labels?: readonly string[]): Promise<IssueId>;
  /** Dispatches the next attempt. */
  dispatch(issue: IssueId, mode: Mode, agent?: string): Promise<WorkerIdentity>;
  say<V extends VerbName>(
    who: WorkerIdentity,
    verb: V,
    input?: unknown,
    message?: string,
  ): Promise<VerbAnswer<V>>;
  /** Commits in the issue's workspace, creating it if needed. Resolves to the commit. */
  commit(issue: IssueId, files: Readonly<Record<string, string>>): Promise<string>;
  /**
   * Commits on the branch without creating a workspace. This is much cheaper, so tests that need no
   * workspace use it.
   */
  commitToBranch(issue: IssueId, files: Readonly<Record<string, string>>): Promise<string>;
  workspace(issue: IssueId): Promise<string>;
  record(issue: IssueId): IssueRecord;
  worker(who: WorkerIdentity): WorkerRecord;
  /** Makes the pull request of this issue unreadable while `work` is running. */
  unreadable<T>(issue: IssueId, work: () => Promise<T>): Promise<T>;
  /** Simulates a kill of the daemon: memory is lost, everything on disk stays. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

const { PATH, HOME } = process.env;
const ENVIRONMENT = { PATH, HOME };

/**
 * Returns a replacement for a dependency that these tests must not use. Any access to it throws.
 */
function untouched<T extends object>(what: string): T {
  return new Proxy({} as T, {
    get: () => {
      throw new Error(`${what} is not available in this test`);
    },
  });
}

export async function openWorking(): Promise<Working> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'legion-speech-')));
  const repository = join(folder, 'repository');
  await git(folder, 'init', '--quiet', '--template=', '--initial-branch=main', repository);
  await commitIn(repository, { 'README.md': 'A repository\n', 'app.txt': 'one\ntwo\nthree\n' });
  // Detaches HEAD from the base, so that a merge does not have to update checked-out files.
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

  async function openWorld(): Promise<DaemonContext> {
    const journal = await openSqliteJournal(join(folder, 'journal.db'));
    const settings: DaemonSettings = {
      autoAdvance: true,
      columns: {},
      staggerMs: 0,
      checkWaitMs: 3_600_000,
      comments: { specification: true, plan: true, test: true },
      health: {},
      budgets: DEFAULT_BUDGETS,
      slots: { workers: 10, perMode: {} },
      polling: { normalMs: 1_000, holding: [] },
      requiredResources: { diskBytes: 0, memoryBytes: 0 },
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
      recordRefusedLogin: () => untouched('agents'),
      agentOf: () => untouched('an agent'),
      environmentFor: async () => ({}),
      settings: () => settings,
      boardView: new BoardView(),
      problems: new ActiveProblems(clock, () => undefined),
      tokens: createWorkerTokens('0123456789abcdef'.repeat(4)),
      folders: {
        state: join(folder, 'state'),
        socket: join(folder, 'state', 'daemon.sock'),
        outbox: (worker, attempt) => join(folder, 'state', 'outbox', toFolderName(worker), String(attempt)),
      },
      merges: new ActiveMerges(),
      hasPendingMessages: async () => false,
      findPendingReport: async () => 'none',
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
    world: untouched('the world before it is open'),
    speech: untouched('the worker API before it is open'),
    issue(status, labels = []) {
      issues += 1;
      const text = { title: `Issue ${issues}`, body: 'Do it.', priority: 0, blockedBy: [] } as const;
      return board.create(`issue ${issues}`, { ...text, status, labels });
    },
    async dispatch(issue, mode, agent) {
      const { ledger, legionId } = working.world;
      const before = ledger.state.workers.get(toWorkerId(issue, mode));
      const attempt = (before?.attempt ?? 0) + 1;
      const session = computeSessionId(legionId, issue, mode);
      await ledger.append([
        { type: 'attempt.dispatched', issue, mode, attempt, session, version: 0, host: 'here', agent },
        { type: 'attempt.active', issue, mode, attempt },
      ]);
      return { issue, mode, attempt };
    },
    async say(who, verb, input = {}, message) {
      const answer = await working.speech.handleVerb(who, verb, input, message);
      // Checks that every response matches its schema.
      return VERB_ANSWERS[verb].parse(answer) as never;
    },
    async commit(issue, files) {
      return commitIn(await working.workspace(issue), files);
    },
    commitToBranch: (issue, files) => importCommit(repository, issue, files),
    workspace: async (issue) => (await workspaces.ensure(issue, repository)).path,
    record: (issue) => working.world.ledger.state.issues.get(issue) ?? createIssueRecord(issue),
    worker({ issue, mode }) {
      const worker = working.world.ledger.state.workers.get(toWorkerId(issue, mode));
      if (worker === undefined) throw new Error(`${issue} has no ${mode} worker`);
      return worker;
    },
    async unreadable(issue, work) {
      const broken = join(pullRequests, `99999.${toFolderName(issue)}.json`);
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
      working.speech = createWorkerApi(working.world);
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
  working.speech = createWorkerApi(working.world);
  return working;
}

/** Serves only this repository. */
export function onlyOne(repository: Repository): Repositories {
  return { all: [repository], find: () => repository, require: () => repository, assign: () => repository };
}

function untouchedRepository(): Omit<Repository, 'name' | 'path' | 'base' | 'baseRef' | 'forge'> {
  const never = () => Promise.reject(new Error('the repository’s commands are not available in this test'));
  return {
    fetchLatest: never,
    readDiff: never,
    commands: never,
    approve: never,
    run: never,
    prompts: never,
    promptCommands: never,
    instructions: never,
  };
}

/**
 * Creates files, commit and branch with one git process. Continues from the branch if it exists, or
 * else from the base.
 */
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
