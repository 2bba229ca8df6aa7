/**
 * A whole legion in a temporary directory. It has a real repository, a real daemon with its HTTP
 * server, and real workers that run scripts.
 */
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordConsent } from '../../src/config/consent.ts';
import { runDaemon } from '../../src/daemon/main.ts';
import type { DaemonFile } from '../../src/protocol/state-files.ts';
import { LAUNCHER } from '../installed/launcher.ts';
import { git } from '../ports/forge/git.ts';
import { approveBeforehand, CHECKED_CONFIG, REPOSITORY_CONFIG } from './checked-repository.ts';
import { markAsDemo } from './demo-repository.ts';
import { endWorkers } from './end-workers.ts';
import { type ApiClient, openApiClient } from './http-client.ts';

export interface LegionOptions {
  /** Added to `legion.yaml`. */
  readonly yaml?: string;
  /**
   * Files of the first commit. If `.legion/config.yml` is not among them, an approved and passing
   * quality gate is added.
   */
  readonly files?: Readonly<Record<string, string>>;
  /** YAML, or the rules as plain objects. */
  readonly scenario?: string | readonly object[];
  /**
   * Whether the repository is marked as a demo, so that scripted work may be merged. Default: true.
   */
  readonly isDemo?: boolean;
  /** Script that Node loads into every worker before Legion. */
  readonly preload?: string;
  /** Whether the operator has consented to real workers. Default: true. */
  readonly isAgreed?: boolean;
  /** Added to the daemon's environment. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface RunningDaemon extends ApiClient {
  /** Lines of the daemon's log. */
  readonly log: readonly string[];
  stop(): Promise<'stopped' | 'restart'>;
}

export interface TestLegion {
  readonly folder: string;
  readonly repository: string;
  readonly state: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Rewrites `legion.yaml` with this text in place of the previous addition. */
  reconfigure(yaml: string): void;
  start(): Promise<RunningDaemon>;
  /** Ends running workers, because they outlive their daemon. */
  endWorkers(): Promise<void>;
  dispose(): void;
}

/** The compile cache of this clone. It is removed together with the clone. */
export const COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/legion-tests');

const YAML = `legion: demo
port: 0
scripted: allowed
approvals: { architect: auto, merge: auto }
dispatch: { stagger: 0s }
health: { grace: 0s, second_look: 0.1s, backoff_first: 0.1s, after_step: 1s }
`;

export async function createTestLegion(options: LegionOptions = {}): Promise<TestLegion> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'legion-running-')));
  const repository = join(folder, 'repository');
  mkdirSync(repository);
  await git(folder, 'init', '--quiet', '--initial-branch=main', repository);
  if (options.isDemo ?? true) await markAsDemo(repository);
  const plays = writeScenario(folder, options.scenario);
  const files = {
    'README.md': 'hello\n',
    '.gitignore': 'legion.yaml\n',
    [REPOSITORY_CONFIG]: CHECKED_CONFIG,
    ...options.files,
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repository, name)), { recursive: true });
    writeFileSync(join(repository, name), text);
  }
  const reconfigure = (yaml: string) =>
    writeFileSync(join(repository, 'legion.yaml'), mergeYaml(`${YAML}${plays}`, yaml));
  reconfigure(options.yaml ?? '');
  await git(repository, 'add', '--all');
  await git(repository, 'commit', '--quiet', '--message=first');
  const { PATH = '' } = process.env;
  const environment = {
    PATH,
    HOME: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_DATA_HOME: join(folder, 'data'),
    XDG_CACHE_HOME: COMPILE_CACHE,
    ...options.environment,
  };
  const state = join(folder, 'state/legion/legions/demo');
  shareCompileCache(state);
  if (options.isAgreed ?? true) recordFullConsent(state);
  if (options.files?.[REPOSITORY_CONFIG] === undefined)
    approveBeforehand(state, 'repository', CHECKED_CONFIG);
  return {
    folder,
    repository,
    state,
    environment,
    reconfigure,
    start: () => start(repository, state, environment, options.preload),
    endWorkers: () => endWorkers(state),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function recordFullConsent(state: string): void {
  const budgets = { issueUsd: 'none', dayUsd: 'none', issueTokens: 'none', dayTokens: 'none' } as const;
  const agents = ['claude-code', 'codex', 'opencode'];
  const recorded = recordConsent(state, { agents, isolation: 'none', budgets }, { by: 'test', at: 1 });
  if (!recorded.ok) throw new Error(recorded.fault.message);
}

/**
 * Shares the agent's Node compile cache, which is stored with its sessions. Otherwise every test
 * would compile everything again.
 */
export function shareCompileCache(state: string): void {
  mkdirSync(COMPILE_CACHE, { recursive: true });
  mkdirSync(join(state, 'scripted'), { recursive: true, mode: 0o700 });
  symlinkSync(COMPILE_CACHE, join(state, 'scripted/compiled'));
}

/** Joins both texts. A line of `given` replaces the line of `base` with the same key. */
function mergeYaml(base: string, given: string): string {
  const keys = new Set([...given.matchAll(/^(\w+):/gm)].map(([, key]) => key));
  const kept = base.split('\n').filter((line) => !keys.has(/^(\w+):/.exec(line)?.[1] ?? ''));
  return `${kept.join('\n')}${given}`;
}

function writeScenario(folder: string, scenario: LegionOptions['scenario']): string {
  if (scenario === undefined) return 'agents: { default: { agent: scripted } }\n';
  const isText = typeof scenario === 'string';
  const path = join(folder, isText ? 'scenario.yaml' : 'scenario.json');
  writeFileSync(path, isText ? scenario : JSON.stringify({ rules: scenario }));
  return `agents: { default: { agent: scripted, model: ${path} } }\n`;
}

async function start(
  repository: string,
  state: string,
  environment: Readonly<Record<string, string>>,
  preload: string | undefined,
): Promise<RunningDaemon> {
  const ending = new AbortController();
  const ready = Promise.withResolvers<DaemonFile>();
  const log: string[] = [];
  const ended = runDaemon({
    file: { path: join(repository, 'legion.yaml'), named: true },
    flags: [],
    environment,
    launcher: [process.execPath, ...(preload === undefined ? [] : [`--require=${preload}`]), LAUNCHER],
    version: '0.0.0-test',
    signal: ending.signal,
    onReady: ready.resolve,
    log: (what, message) => log.push(`${message} ${JSON.stringify(what)}`),
  });
  ended.catch(ready.reject);
  const { url } = await ready.promise;
  return {
    ...openApiClient(url, readFileSync(join(state, 'token'), 'utf8').trim()),
    log,
    stop() {
      ending.abort();
      return ended;
    },
  };
}

/** Polls until the result is as expected. The timeout error shows the last result. */
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
      throw new Error(`timed out after ${withinMs} ms; last result: ${JSON.stringify(answer)}`);
    await sleep(50);
  }
}
