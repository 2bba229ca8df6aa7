/**
 * Test setup for a real agent: a repository, a home directory, a fake daemon, a scripted model, and
 * functions that launch the agent as a host would.
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { readLine } from '../../src/agents/agent-lines.ts';
import { MARKER_VARIABLE } from '../../src/core/model/environment.ts';
import { createProcessTable } from '../../src/hosts/local/process-table.ts';
import type { AgentEvent, LaunchSpec } from '../../src/ports/agent.ts';
import { type AgentLine, parseAgentLine } from '../../src/protocol/agent-line.ts';
import {
  MESSAGES_VARIABLE,
  toMessageFileName,
  type WorkerMessage,
} from '../../src/protocol/worker-message.ts';
import { type DaemonEdge, daemonEdge } from '../../test/agents/scripted/daemon-edge.ts';
import { type Watched, watched } from '../../test/agents/scripted/watched.ts';
import { LAUNCHER as INSTALLED } from '../../test/installed/launcher.ts';
import type { ModelMove, ModelRequest } from '../model/mind.ts';
import { type ModelServer, type ModelWire, startModel } from '../model/server.ts';

export const LAUNCHER = [process.execPath, INSTALLED] as const;

/** Variable in a worker's environment that holds the key to the scripted model. */
export const KEY_VARIABLE = 'STAGE_MODEL_KEY';
export const KEY = 'key-to-the-scripted-model';

/**
 * Time within which a killed process is normally gone. If a process lives longer, the test that
 * left it running reports it.
 */
const GONE_MS = 5_000;

export interface AgentRunResult {
  readonly code: number | null;
  readonly err: string;
  readonly out: string;
  readonly lines: readonly AgentLine[];
  readonly events: readonly AgentEvent[];
}

export interface AgentTestStage {
  readonly root: string;
  readonly workspace: string;
  /** The `HOME` of the agent. */
  readonly person: string;
  /** Directory of the driver's session records. */
  readonly home: string;
  readonly outbox: string;
  readonly messages: string;
  readonly daemon: DaemonEdge;
  readonly model: ModelServer;
  /** Returns a worker's environment, as a host would set it. */
  env(more?: Readonly<Record<string, string>>): Record<string, string>;
  /** Starts the agent in its own process group, as a host does. */
  begin(launch: LaunchSpec, more?: Readonly<Record<string, string>>): Watched;
  /** Starts the agent and waits for its exit. */
  play(launch: LaunchSpec, more?: Readonly<Record<string, string>>): Promise<AgentRunResult>;
  write(letter: WorkerMessage): void;
  git(...args: string[]): string;
  /**
   * Returns the processes that have the marker of this setup, including those whose parents have
   * exited.
   */
  processes(): readonly number[];
}

export const DONE: ModelMove = { verb: 'done', input: { summary: 'said hello' } };

/** Plays the shortest possible phase: the model reports and ends its turn. */
export const REPORTS = ({ calls }: ModelRequest): ModelMove =>
  calls.length === 0 ? DONE : { say: 'reported' };

/** Returns a model that makes these moves in order after the last prompt, then ends the turn. */
export function takeTurns(...moves: readonly ModelMove[]): (seen: ModelRequest) => ModelMove {
  return ({ calls }) => moves[calls.length] ?? { say: 'that is all' };
}

/** Returns the path of the agent's real program. */
export function resolveProgram(name: string): string {
  return join(import.meta.dirname, '../node_modules/.bin', name);
}

/** Gives every test of the file its own setup. The repository is created once and then copied. */
export function useStage(wires: readonly ModelWire[]): () => AgentTestStage {
  let shared: string;
  let stage: AgentTestStage & { dispose(): Promise<void> };
  beforeAll(() => {
    shared = mkdtempSync(join(inject('scratch'), 'real-'));
    makeRepository(join(shared, 'repository'));
  });
  beforeEach(async () => {
    const root = mkdtempSync(join(shared, 'stage-'));
    cpSync(join(shared, 'repository'), join(root, 'work'), { recursive: true });
    const [daemon, model] = await Promise.all([daemonEdge(join(root, 'state')), startModel(wires, REPORTS)]);
    stage = createStageAt(root, daemon, model, join(shared, 'compiled'));
  });
  afterEach(() => stage.dispose());
  afterAll(() => rmSync(shared, { recursive: true, force: true }));
  return () => stage;
}

/** Parses a driver's output. */
export function readOutput(out: string): Pick<AgentRunResult, 'out' | 'lines' | 'events'> {
  const texts = out.split('\n').filter((line) => line !== '');
  const lines = texts.flatMap((text) => parseAgentLine(JSON.parse(text)) ?? []);
  return { out, lines, events: texts.flatMap(readLine) };
}

/** Resolves once `look` returns a value. Only the test's own timeout limits the wait. */
export async function waitUntilFound<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await sleep(20);
  }
}

function createStageAt(
  root: string,
  daemon: DaemonEdge,
  model: ModelServer,
  compiled: string,
): AgentTestStage & { dispose(): Promise<void> } {
  const folder = (name: string) => join(root, name);
  const places = {
    workspace: folder('work'),
    person: folder('person'),
    home: folder('home'),
    outbox: folder('out'),
    messages: folder('messages'),
  };
  for (const place of [places.person, places.messages]) mkdirSync(place);
  const { PATH = '' } = process.env;
  const marker = `stage/demo-1-implement/1/${randomUUID().replaceAll('-', '')}`;
  const begun: Watched[] = [];

  const stage: AgentTestStage = {
    root,
    ...places,
    daemon,
    model,
    env: (more = {}) => ({
      PATH,
      HOME: places.person,
      LEGION_WORKER: 'demo-1-implement',
      LEGION_ISSUE: 'DEMO-1',
      LEGION_MODE: 'implement',
      LEGION_PHASE: 'implement',
      LEGION_PURPOSE: 'start',
      LEGION_ATTEMPT: '1',
      LEGION_WORKER_TOKEN: 'token-of-this-attempt',
      LEGION_STATE: folder('state'),
      LEGION_OUTBOX: places.outbox,
      [MESSAGES_VARIABLE]: places.messages,
      [MARKER_VARIABLE]: marker,
      [KEY_VARIABLE]: KEY,
      ...more,
    }),
    begin({ argv: [program, ...rest], env, stdin }, more) {
      const child = spawn(program, rest, {
        cwd: places.workspace,
        env: { ...stage.env(more), ...env, NODE_COMPILE_CACHE: compiled },
        detached: true,
      });
      child.stdin.on('error', () => undefined).end(stdin);
      const seen = watched(child);
      begun.push(seen);
      return seen;
    },
    async play(launch, more) {
      const { code, err, out } = await stage.begin(launch, more).end;
      return { code, err, ...readOutput(out) };
    },
    write(letter) {
      // Writes the message to another path first, so that a partial message is never read.
      const draft = join(root, 'letter');
      writeFileSync(draft, JSON.stringify(letter));
      renameSync(draft, join(places.messages, toMessageFileName(letter)));
    },
    git: (...args) => execFileSync('git', args, { cwd: places.workspace, encoding: 'utf8' }).trim(),
    processes: () => withMarker(marker),
  };

  async function dispose(): Promise<void> {
    for (const pid of stage.processes()) endNow(pid);
    const patience = AbortSignal.timeout(GONE_MS);
    while (stage.processes().length > 0 && !patience.aborted) await sleep(20);
    await Promise.all(begun.map(({ end }) => end));
    await Promise.all([daemon.close(), model.close()]);
  }
  return { ...stage, dispose };
}

function withMarker(marker: string): number[] {
  const table = createProcessTable('/proc');
  return table
    .listPids()
    .filter((pid) => table.readMarker(pid) === marker && typeof table.readStat(pid) === 'object');
}

export function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has just exited by itself.
  }
}

function makeRepository(path: string): void {
  const git = (...args: string[]) => execFileSync('git', ['-C', path, ...args]);
  // Creates the repository without git's sample hooks, because it is copied for each test.
  execFileSync('git', ['init', '--quiet', '--template=', '--initial-branch=main', path]);
  writeFileSync(join(path, 'README.md'), '# Demo\n');
  git('add', '--all');
  git('-c', 'user.name=a', '-c', 'user.email=a@localhost', 'commit', '--quiet', '-m', 'begin');
  git('switch', '--quiet', '-c', 'DEMO-1');
}

/** Writes files below a directory and creates the directories they need. */
export function writeFilesBelow(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

export function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return ''; // the process has just exited
  }
}
