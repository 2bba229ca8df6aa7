/**
 * Runs only the git and process work of one issue: the same agents, commands and commits, but
 * without Legion.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { createScriptedAgent } from '../../src/agents/scripted/scripted-agent.ts';
import { computeSessionId } from '../../src/core/model/ids.ts';
import { getPhaseMode, type Mode, PHASES, type Phase } from '../../src/core/model/mode.ts';
import { type BenchLegion, FEATURE, runGit } from './legion.ts';

type BenchLauncher = readonly [string, string];

/**
 * A stand-in for the repository's commands. It runs as many times as Legion runs them for one
 * issue.
 */
const QUALITY_GATE = ['git', 'status'] as const;
const CI = ['git', 'log', 'HEAD'] as const;

/** Resolves to the duration in ms. */
export async function runBareIssue(
  legion: BenchLegion,
  launcher: BenchLauncher,
  issue: string,
  signal: AbortSignal,
): Promise<number> {
  const state = join(legion.folder, 'bare');
  mkdirSync(join(state, 'outbox'), { recursive: true, mode: 0o700 });
  const socket = join(state, 'daemon.sock');
  const daemon = await startApprovingDaemon(legion.repository, issue, socket);
  const file = {
    legion: 'bench',
    url: 'http://127.0.0.1:1',
    socket,
    pid: process.pid,
    startedAt: 1,
    version: '0',
  };
  writeFileSync(join(state, 'daemon.json'), JSON.stringify(file));
  try {
    return await runPhases(legion, { state, launcher }, issue, signal);
  } finally {
    daemon.close();
    daemon.closeAllConnections();
  }
}

interface BareSetup {
  readonly state: string;
  readonly launcher: BenchLauncher;
}

async function runPhases(
  legion: BenchLegion,
  setup: BareSetup,
  issue: string,
  signal: AbortSignal,
): Promise<number> {
  const begun = performance.now();
  const workspace = join(legion.folder, 'bare-workspaces', issue);
  runGit(legion.repository, 'worktree', 'add', '--quiet', '-b', issue, workspace, 'main');
  for (const phase of PHASES) {
    await runPhaseWorker(legion, setup, workspace, { issue, phase, signal });
    if (phase === 'implement') execFileSync(QUALITY_GATE[0], QUALITY_GATE.slice(1), { cwd: workspace });
    if (phase === 'implement' || phase === 'retro') runCi(legion, issue);
  }
  const took = performance.now() - begun;
  // This removal is not measured, because Legion also removes a workspace only after its issue is
  // Done.
  runGit(legion.repository, 'worktree', 'remove', workspace);
  runGit(legion.repository, 'branch', '--quiet', '-D', issue);
  return took;
}

/** Uses a clean checkout of the commit, as the local forge does. */
function runCi({ folder, repository }: BenchLegion, issue: string): void {
  const checkout = join(folder, 'bare-ci');
  runGit(repository, 'worktree', 'add', '--quiet', '--detach', checkout, issue);
  execFileSync(CI[0], CI.slice(1), { cwd: checkout, stdio: 'ignore' });
  rmSync(checkout, { recursive: true });
  runGit(repository, 'worktree', 'prune');
}

async function runPhaseWorker(
  legion: BenchLegion,
  { state, launcher }: BareSetup,
  cwd: string,
  { issue, phase, signal }: { readonly issue: string; readonly phase: Phase; readonly signal: AbortSignal },
): Promise<void> {
  const mode: Mode = getPhaseMode(phase);
  const agent = createScriptedAgent({ launcher, home: join(state, 'scripted') });
  const session = computeSessionId('bench', issue, mode);
  const start = { prompt: `${issue} ${phase}`, workspace: cwd };
  const { argv, env, stdin } =
    phase === 'retro' ? agent.resume(session, undefined, start) : agent.launch(session, start);
  const given = {
    ...legion.environment,
    ...env,
    LEGION_WORKER: `${issue}-${mode}`.toLowerCase(),
    LEGION_ISSUE: issue,
    LEGION_MODE: mode,
    LEGION_PHASE: phase,
    LEGION_PURPOSE: phase === 'retro' ? 'retro' : 'start',
    LEGION_ATTEMPT: phase === 'retro' ? '2' : '1',
    LEGION_WORKER_TOKEN: 'token',
    LEGION_STATE: state,
    LEGION_OUTBOX: join(state, 'outbox'),
    GIT_AUTHOR_NAME: 'Bench',
    GIT_AUTHOR_EMAIL: 'bench@localhost',
    GIT_COMMITTER_NAME: 'Bench',
    GIT_COMMITTER_EMAIL: 'bench@localhost',
  };
  const [program, ...rest] = argv;
  const child = spawn(program, rest, { cwd, env: given, stdio: ['pipe', 'ignore', 'inherit'], signal });
  child.stdin.end(stdin);
  const code = await new Promise((resolve, reject) => child.once('exit', resolve).once('error', reject));
  if (code !== 0) throw new Error(`The bare ${phase} worker exited with ${code}.`);
}

/** Approves every request. If the request asks for a merge, also merges. */
function startApprovingDaemon(repository: string, issue: string, socket: string): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const verb = (request.url ?? '').split('/').at(-1) ?? '';
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          ...ANSWER,
          ...(verb === 'issue' ? buildIssueResponse(issue) : {}),
          ...(verb === 'merge' ? mergeIssueBranch(repository, issue) : {}),
        }),
      );
    });
  });
  return new Promise((resolve) => {
    server.listen(socket, () => resolve(server));
  });
}

const ANSWER = {
  says: 'yes',
  durable: true,
  accepted: true,
  sha: 'a',
  branch: 'b',
  number: 1,
  phase: 'plan',
};

function buildIssueResponse(id: string) {
  const { body, labels, priority } = FEATURE;
  const issue = {
    id,
    title: 'Greet a person',
    body,
    status: 'Todo',
    column: 'Todo',
    labels,
    priority,
    createdAt: 1,
    blockedBy: [],
  };
  return { issue, comments: [], pullRequest: null, remarks: [] };
}

/** Squashes with git plumbing commands, then updates the checkout. */
function mergeIssueBranch(repository: string, issue: string) {
  const tree = runGit(repository, 'merge-tree', '--write-tree', 'main', issue);
  const mergedSha = runGit(repository, 'commit-tree', '-p', 'main', '-m', issue, tree);
  runGit(repository, 'update-ref', 'refs/heads/main', mergedSha);
  runGit(repository, 'reset', '--quiet', '--hard', 'main');
  return { mergedSha };
}
