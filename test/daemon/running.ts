/** A whole legion in a temporary folder: a real repository, a real daemon with its HTTP door, real scripted workers. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runDaemon } from '../../src/daemon/compose.ts';
import type { DaemonFile } from '../../src/protocol/daemon-file.ts';
import { git } from '../forges/git.ts';

export interface LegionOptions {
  /** Added to `legion.yaml`. */
  readonly yaml?: string;
  /** Files of the first commit. */
  readonly files?: Readonly<Record<string, string>>;
  readonly scenario?: string;
}

export interface Running {
  readonly url: string;
  readonly token: string;
  /** What the daemon wrote to its log. */
  readonly log: readonly string[];
  request<T = unknown>(method: string, path: string, body?: unknown): Promise<{ status: number; body: T }>;
  get<T = unknown>(path: string): Promise<T>;
  post<T = unknown>(path: string, body?: unknown): Promise<T>;
  stop(): Promise<'stopped' | 'restart'>;
}

export interface TestLegion {
  readonly folder: string;
  readonly repository: string;
  readonly state: string;
  readonly environment: Readonly<Record<string, string>>;
  start(): Promise<Running>;
  dispose(): void;
}

const LAUNCHER = join(import.meta.dirname, '../../bin/legion.js');

const YAML = `legion: demo
port: 0
approvals: { architect: auto, merge: auto }
dispatch: { stagger: 0s }
health: { grace: 0s, second_look: 0.1s, backoff_first: 0.1s, after_step: 1s }
`;

export async function testLegion(options: LegionOptions = {}): Promise<TestLegion> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'legion-running-')));
  const repository = join(folder, 'repository');
  mkdirSync(repository);
  await git(folder, 'init', '--quiet', '--initial-branch=main', repository);
  const scenario = join(folder, 'scenario.yaml');
  const plays =
    options.scenario === undefined ? '' : `agents: { default: { agent: scripted, model: ${scenario} } }\n`;
  if (options.scenario !== undefined) writeFileSync(scenario, options.scenario);
  const files = { 'README.md': 'hello\n', '.gitignore': 'legion.yaml\n', ...options.files };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repository, name)), { recursive: true });
    writeFileSync(join(repository, name), text);
  }
  writeFileSync(join(repository, 'legion.yaml'), `${YAML}${plays}${options.yaml ?? ''}`);
  await git(repository, 'add', '--all');
  await git(repository, 'commit', '--quiet', '--message=first');
  const environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_DATA_HOME: join(folder, 'data'),
  };
  return {
    folder,
    repository,
    state: join(folder, 'state/legion/legions/demo'),
    environment,
    start: () => start(repository, environment),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function start(repository: string, environment: Readonly<Record<string, string>>): Promise<Running> {
  const ending = new AbortController();
  const ready = Promise.withResolvers<DaemonFile>();
  const log: string[] = [];
  const ended = runDaemon({
    file: { path: join(repository, 'legion.yaml'), named: true },
    flags: [],
    environment,
    launcher: [process.execPath, LAUNCHER],
    version: '0.0.0-test',
    signal: ending.signal,
    onReady: ready.resolve,
    log: (what, message) => log.push(`${message} ${JSON.stringify(what)}`),
  });
  ended.catch(ready.reject);
  const { url } = await ready.promise;
  const { readFileSync } = await import('node:fs');
  const token = readFileSync(
    join(environment['XDG_STATE_HOME'] ?? '', 'legion/legions/demo/token'),
    'utf8',
  ).trim();

  async function request<T>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: T }> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as T };
  }

  async function expectOk<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await request<T>(method, path, body);
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  return {
    url,
    token,
    log,
    request,
    get: (path) => expectOk('GET', path),
    post: (path, body = {}) => expectOk('POST', path, body),
    stop() {
      ending.abort();
      return ended;
    },
  };
}

/** Asks until the answer is what is wanted; a wait that ends without it says what it saw last. */
export async function until<T>(
  ask: () => Promise<T>,
  wanted: (answer: T) => boolean,
  withinMs = 20_000,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    if (performance.now() > deadline)
      throw new Error(`not within ${withinMs} ms; last: ${JSON.stringify(answer)}`);
    await sleep(50);
  }
}
