/** A stage for a real agent: a repository, a person's home, the edge of a daemon, a scripted model, and launches as a host does them. */
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { readLine } from '../../src/agents/agent-lines.ts';
import { MARKER_VARIABLE } from '../../src/domain/marker.ts';
import { processTable } from '../../src/hosts/local/process-table.ts';
import type { AgentEvent, Launch } from '../../src/ports/agent.ts';
import { type AgentLine, parseAgentLine } from '../../src/protocol/agent-line.ts';
import { LETTERS_VARIABLE, type Letter, letterName } from '../../src/protocol/letter.ts';
import { type DaemonEdge, daemonEdge } from '../../test/agents/scripted/daemon-edge.ts';
import { type Watched, watched } from '../../test/agents/scripted/watched.ts';
import { LAUNCHER as INSTALLED } from '../../test/installed/launcher.ts';
import type { Move, Seen } from '../model/mind.ts';
import { type ModelServer, startModel, type Wire } from '../model/server.ts';

export const LAUNCHER = [process.execPath, INSTALLED] as const;

/** Holds the key to the scripted model in a worker's environment. */
export const KEY_VARIABLE = 'STAGE_MODEL_KEY';
export const KEY = 'key-to-the-scripted-model';

/** A process that was killed is gone soon; what is not is named by the test that left it. */
const GONE_MS = 5_000;

export interface Played {
  readonly code: number | null;
  readonly err: string;
  readonly out: string;
  readonly lines: readonly AgentLine[];
  readonly events: readonly AgentEvent[];
}

export interface Stage {
  readonly root: string;
  readonly workspace: string;
  /** The `HOME` of the agent. */
  readonly person: string;
  /** Where the driver keeps its records of sessions. */
  readonly home: string;
  readonly outbox: string;
  readonly letters: string;
  readonly daemon: DaemonEdge;
  readonly model: ModelServer;
  /** Of a worker, as the host gives it. */
  env(more?: Readonly<Record<string, string>>): Record<string, string>;
  /** Starts it in a group of its own, as a host does. */
  begin(launch: Launch, more?: Readonly<Record<string, string>>): Watched;
  /** Starts it and waits for its end. */
  play(launch: Launch, more?: Readonly<Record<string, string>>): Promise<Played>;
  write(letter: Letter): void;
  git(...args: string[]): string;
  /** Who carries the marker of this stage, whatever became of their parents. */
  processes(): readonly number[];
}

export const DONE: Move = { verb: 'done', input: { summary: 'said hello' } };

/** A phase in its shortest form: it reports, and ends its turn. */
export const REPORTS = ({ calls }: Seen): Move => (calls.length === 0 ? DONE : { say: 'reported' });

/** One after the other since the last prompt, and then the end of the turn. */
export function inTurn(...moves: readonly Move[]): (seen: Seen) => Move {
  return ({ calls }) => moves[calls.length] ?? { say: 'that is all' };
}

/** The agent's real program. */
export function programOf(name: string): string {
  return join(import.meta.dirname, '../node_modules/.bin', name);
}

/** Gives every test of the file a stage of its own; the repository is made once and copied. */
export function useStage(wires: readonly Wire[]): () => Stage {
  let shared: string;
  let stage: Stage & { dispose(): Promise<void> };
  beforeAll(() => {
    shared = mkdtempSync(join(inject('scratch'), 'real-'));
    makeRepository(join(shared, 'repository'));
  });
  beforeEach(async () => {
    const root = mkdtempSync(join(shared, 'stage-'));
    cpSync(join(shared, 'repository'), join(root, 'work'), { recursive: true });
    const [daemon, model] = await Promise.all([daemonEdge(join(root, 'state')), startModel(wires, REPORTS)]);
    stage = stageAt(root, daemon, model, join(shared, 'compiled'));
  });
  afterEach(() => stage.dispose());
  afterAll(() => rmSync(shared, { recursive: true, force: true }));
  return () => stage;
}

/** What a driver has written. */
export function readOutput(out: string): Pick<Played, 'out' | 'lines' | 'events'> {
  const texts = out.split('\n').filter((line) => line !== '');
  const lines = texts.flatMap((text) => parseAgentLine(JSON.parse(text)) ?? []);
  return { out, lines, events: texts.flatMap(readLine) };
}

/** Resolves once `look` finds something; the test's own limit is the bound. */
export async function until<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await sleep(20);
  }
}

function stageAt(
  root: string,
  daemon: DaemonEdge,
  model: ModelServer,
  compiled: string,
): Stage & { dispose(): Promise<void> } {
  const folder = (name: string) => join(root, name);
  const places = {
    ...{ workspace: folder('work'), person: folder('person'), home: folder('home') },
    ...{ outbox: folder('out'), letters: folder('letters') },
  };
  for (const place of [places.person, places.letters]) mkdirSync(place);
  const { PATH = '' } = process.env;
  const marker = `stage/demo-1-implement/1/${randomUUID().replaceAll('-', '')}`;
  const begun: Watched[] = [];

  const stage: Stage = {
    ...{ root, ...places, daemon, model },
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
      [LETTERS_VARIABLE]: places.letters,
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
      // Aside first, so that nobody reads half of it.
      const draft = join(root, 'letter');
      writeFileSync(draft, JSON.stringify(letter));
      renameSync(draft, join(places.letters, letterName(letter)));
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
  const table = processTable('/proc');
  return table.pids().filter((pid) => table.markerOf(pid) === marker && typeof table.look(pid) === 'object');
}

function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended by itself.
  }
}

function makeRepository(path: string): void {
  const git = (...args: string[]) => execFileSync('git', ['-C', path, ...args]);
  // Without the sample hooks: the repository is copied for each test.
  execFileSync('git', ['init', '--quiet', '--template=', '--initial-branch=main', path]);
  writeFileSync(join(path, 'README.md'), '# Demo\n');
  git('add', '--all');
  git('-c', 'user.name=a', '-c', 'user.email=a@localhost', 'commit', '--quiet', '-m', 'begin');
  git('switch', '--quiet', '-c', 'DEMO-1');
}

/** Writes files below a folder, with the folders they need. */
export function plant(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

export function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return ''; // it has just ended
  }
}
