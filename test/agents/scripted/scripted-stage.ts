/**
 * Sets up tests of the scripted agent: a repository with an issue's branch, a home, an outbox, and
 * two ways to play a turn.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { readLine } from '../../../src/agents/agent-lines.ts';
import { runScenario } from '../../../src/agents/scripted/player/play.ts';
import { LegionError } from '../../../src/core/model/fault.ts';
import type { AgentEvent, LaunchSpec } from '../../../src/ports/agent.ts';
import { LAUNCHER as INSTALLED } from '../../installed/launcher.ts';
import { type DaemonEdge, daemonEdge } from './daemon-edge.ts';

export const LAUNCHER = [process.execPath, INSTALLED] as const;

/** Steps of a single rule. */
export type Steps = readonly Readonly<Record<string, unknown>>[];

export interface Played {
  readonly code: number | undefined;
  readonly fault: LegionError['code'] | undefined;
  readonly message: string;
  readonly lines: readonly string[];
  readonly events: readonly AgentEvent[];
}

export interface Stage {
  readonly root: string;
  readonly workspace: string;
  readonly home: string;
  readonly outbox: string;
  readonly state: string;
  readonly daemon: DaemonEdge;
  env(more?: Readonly<Record<string, string>>): Record<string, string>;
  /** Writes a scenario file and returns its path. */
  scenario(data: unknown): string;
  git(...args: string[]): string;
  /** Plays a turn in this process. */
  play(data: unknown, more?: PlayMore): Promise<Played>;
  /** Starts a turn as a real process. */
  start(launch: LaunchSpec, more?: Readonly<Record<string, string>>): ChildProcess;
}

interface PlayMore {
  readonly session?: string;
  readonly resume?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly home?: string;
}

export function rule(steps: Steps, conditions: Readonly<Record<string, unknown>> = {}) {
  return { rules: [{ ...conditions, steps }] };
}

/**
 * Gives every test of the file its own setup. The repository is created once and copied for each
 * test.
 */
export function useStage(): () => Stage {
  let shared: string;
  let stage: Stage;
  const open: { root: string; daemon: DaemonEdge }[] = [];
  beforeAll(() => {
    shared = realpathSync(mkdtempSync(join(tmpdir(), 'legion-scripted-')));
    makeRepository(join(shared, 'repository'));
  });
  beforeEach(async () => {
    const root = mkdtempSync(join(shared, 'stage-'));
    cpSync(join(shared, 'repository'), join(root, 'work'), { recursive: true });
    const daemon = await daemonEdge(join(root, 'state'));
    open.push({ root, daemon });
    stage = stageAt(root, daemon, join(shared, 'compiled'));
  });
  afterEach(async () => {
    for (const { daemon } of open.splice(0)) await daemon.close();
  });
  afterAll(() => rmSync(shared, { recursive: true, force: true }));
  return () => stage;
}

function stageAt(root: string, daemon: DaemonEdge, compiled: string): Stage {
  const folder = (name: string) => join(root, name);
  const places = {
    workspace: folder('work'),
    home: folder('home'),
    outbox: folder('out'),
    state: folder('state'),
  };
  const { PATH = '' } = process.env;
  let scenarios = 0;
  const stage: Stage = {
    root,
    ...places,
    daemon,
    env: (more = {}) => ({
      PATH,
      HOME: root,
      LEGION_WORKER: 'demo-1-implement',
      LEGION_ISSUE: 'DEMO-1',
      LEGION_MODE: 'implement',
      LEGION_PHASE: 'implement',
      LEGION_PURPOSE: 'start',
      LEGION_ATTEMPT: '1',
      LEGION_WORKER_TOKEN: 'token-of-this-attempt',
      LEGION_STATE: places.state,
      LEGION_OUTBOX: places.outbox,
      ...more,
    }),
    scenario(data) {
      scenarios += 1;
      const file = folder(`scenario-${scenarios}.json`);
      writeFileSync(file, JSON.stringify(data));
      return file;
    },
    git: (...args) => execFileSync('git', args, { cwd: places.workspace, encoding: 'utf8' }).trim(),
    async play(data, { session = `s${scenarios}`, resume = false, env, signal, home = places.home } = {}) {
      const scenario =
        data === undefined ? undefined : typeof data === 'string' ? data : stage.scenario(data);
      const stdout = new PassThrough({ highWaterMark: 10_000_000 });
      const world = {
        env: stage.env(env),
        cwd: places.workspace,
        stdin: Readable.from(['the prompt']),
        stdout,
        signal: signal ?? new AbortController().signal,
      };
      const ended = await runScenario({ session, home, resume, scenario }, world).then(
        (code) => ({ code, fault: undefined, message: '' }),
        (error: unknown) => {
          if (!(error instanceof LegionError)) throw error;
          return { code: undefined, fault: error.code, message: error.message };
        },
      );
      stdout.end();
      return { ...ended, ...reading(await text(stdout)) };
    },
    start({ argv, env, stdin }, more) {
      const [program, ...rest] = argv;
      const child = spawn(program, rest, {
        cwd: places.workspace,
        env: { ...stage.env(more), ...env, NODE_COMPILE_CACHE: compiled },
        // Runs in its own process group, as it would on a host.
        detached: true,
      });
      child.stdin.on('error', () => undefined).end(stdin);
      return child;
    },
  };
  mkdirSync(places.home);
  return stage;
}

export function reading(output: string): Pick<Played, 'lines' | 'events'> {
  const lines = output.split('\n').filter((line) => line !== '');
  return { lines, events: lines.flatMap(readLine) };
}

function makeRepository(path: string): void {
  const git = (...args: string[]) => execFileSync('git', ['-C', path, ...args]);
  // Omits the sample hooks, so that there are fewer files to copy for each test.
  execFileSync('git', ['init', '--quiet', '--template=', '--initial-branch=main', path]);
  writeFileSync(join(path, 'README.md'), '# Demo\n');
  writeFileSync(join(path, '.gitignore'), 'docs/changes/\n');
  git('add', '--all');
  git('-c', 'user.name=a', '-c', 'user.email=a@localhost', 'commit', '--quiet', '-m', 'begin');
  git('switch', '--quiet', '-c', 'DEMO-1');
}
