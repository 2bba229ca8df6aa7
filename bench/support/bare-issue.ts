/** The git and process work of one issue's life and nothing else: the same agents, commands and commits, without Legion. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { scriptedAgent } from '../../src/agents/scripted/scripted-agent.ts';
import { sessionId } from '../../src/core/model/ids.ts';
import { type Mode, modeOfPhase, PHASES, type Phase } from '../../src/domain/mode.ts';
import { type BenchLegion, FEATURE, git } from './legion.ts';

type Launcher = readonly [string, string];

/** What the repository's commands are in the bench, run as often as a life runs them. */
const QUALITY_GATE = ['git', 'status'] as const;
const CI = ['git', 'log', 'HEAD'] as const;

/** Resolves to how long it took, in ms. */
export async function bareLife(
  legion: BenchLegion,
  launcher: Launcher,
  issue: string,
  signal: AbortSignal,
): Promise<number> {
  const state = join(legion.folder, 'bare');
  mkdirSync(join(state, 'outbox'), { recursive: true, mode: 0o700 });
  const socket = join(state, 'daemon.sock');
  const daemon = await answering(legion.repository, issue, socket);
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
  readonly launcher: Launcher;
}

async function runPhases(
  legion: BenchLegion,
  setup: BareSetup,
  issue: string,
  signal: AbortSignal,
): Promise<number> {
  const begun = performance.now();
  const workspace = join(legion.folder, 'bare-workspaces', issue);
  git(legion.repository, 'worktree', 'add', '--quiet', '-b', issue, workspace, 'main');
  for (const phase of PHASES) {
    await play(legion, setup, workspace, { issue, phase, signal });
    if (phase === 'implement') execFileSync(QUALITY_GATE[0], QUALITY_GATE.slice(1), { cwd: workspace });
    if (phase === 'implement' || phase === 'retro') runCi(legion, issue);
  }
  const took = performance.now() - begun;
  // Legion too takes a workspace away only after its issue is Done.
  git(legion.repository, 'worktree', 'remove', workspace);
  git(legion.repository, 'branch', '--quiet', '-D', issue);
  return took;
}

/** In a clean checkout at the commit, as the local forge does it. */
function runCi({ folder, repository }: BenchLegion, issue: string): void {
  const checkout = join(folder, 'bare-ci');
  git(repository, 'worktree', 'add', '--quiet', '--detach', checkout, issue);
  execFileSync(CI[0], CI.slice(1), { cwd: checkout, stdio: 'ignore' });
  rmSync(checkout, { recursive: true });
  git(repository, 'worktree', 'prune');
}

async function play(
  legion: BenchLegion,
  { state, launcher }: BareSetup,
  cwd: string,
  { issue, phase, signal }: { readonly issue: string; readonly phase: Phase; readonly signal: AbortSignal },
): Promise<void> {
  const mode: Mode = modeOfPhase(phase);
  const agent = scriptedAgent({ launcher, home: join(state, 'scripted') });
  const session = sessionId('bench', issue, mode);
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
  if (code !== 0) throw new Error(`the ${phase} worker of the bare life ended with ${code}`);
}

/** Says yes to everything, and merges when it is asked to. */
function answering(repository: string, issue: string, socket: string): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const verb = (request.url ?? '').split('/').at(-1) ?? '';
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          ...ANSWER,
          ...(verb === 'issue' ? aboutIssue(issue) : {}),
          ...(verb === 'merge' ? merged(repository, issue) : {}),
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

function aboutIssue(id: string) {
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

/** A squash by plumbing, and the checkout that follows it. */
function merged(repository: string, issue: string) {
  const tree = git(repository, 'merge-tree', '--write-tree', 'main', issue);
  const mergedSha = git(repository, 'commit-tree', '-p', 'main', '-m', issue, tree);
  git(repository, 'update-ref', 'refs/heads/main', mergedSha);
  git(repository, 'reset', '--quiet', '--hard', 'main');
  return { mergedSha };
}
