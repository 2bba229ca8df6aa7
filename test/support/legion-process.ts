/**
 * A legion in a temporary directory that uses an external board. Its daemon is a separate process
 * that can be killed and restarted.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LegionPaths, resolveLegionPaths } from '../../src/config/paths.ts';
import type { Event } from '../../src/core/model/event.ts';
import { legionIn, type Said } from '../cli/support/legion.ts';
import { endWorkers } from './end-workers.ts';
import { COMPILE_CACHE, shareCompileCache } from './running-daemon.ts';
import { type RunningProcess, startDaemonProcess } from './running-process.ts';

export interface DaemonProcess {
  readonly client: RunningProcess;
  /** Returns all events in the journal so far. */
  events(): Promise<readonly Event[]>;
  start(): Promise<void>;
  /** Kills the daemon with `kill -9`. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** Runs the CLI in the repository, like the operator. */
  runCli(...args: string[]): Promise<Said>;
}

export interface LegionProcessOptions {
  /** Name of the temporary directory. */
  readonly name: string;
  readonly legion: string;
  /** Lines of `legion.yaml`. A line of `overrides` replaces a line of `yaml` with the same key. */
  readonly yaml: string;
  readonly overrides?: string | undefined;
  /** Rules of the scripted agent. */
  readonly rules: readonly object[];
  readonly environment: Readonly<Record<string, string>>;
}

export interface LegionProcess {
  readonly daemon: DaemonProcess;
  readonly folder: string;
  readonly paths: LegionPaths;
  end(): Promise<void>;
}

const YAML = (scenario: string) => `port: 0
approvals: { architect: auto, merge: auto }
dispatch: { stagger: 0s }
agents: { default: { agent: scripted, model: ${scenario} } }
scripted: allowed
polling: { interval: 2s, slow_after: 1000 }
health: { grace: 0s, second_look: 0.5s, backoff_first: 0.1s, after_step: 1s }
`;

export function createLegionProcess(options: LegionProcessOptions): LegionProcess {
  const { name, legion, yaml, overrides = '', rules } = options;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), name)));
  const scenario = join(folder, 'scenario.json');
  writeFileSync(scenario, JSON.stringify({ rules }));
  const keys = new Set([...overrides.matchAll(/^(\w+):/gm)].map(([, key]) => key));
  const base = `${yaml}${YAML(scenario)}`.split('\n');
  const kept = base.filter((line) => !keys.has(/^(\w+):/.exec(line)?.[1] ?? ''));
  const repository = join(folder, 'operator');
  mkdirSync(repository);
  writeFileSync(join(repository, 'legion.yaml'), `${kept.join('\n')}${overrides}`);
  const { PATH = '' } = process.env;
  const environment = {
    PATH,
    HOME: folder,
    XDG_CACHE_HOME: COMPILE_CACHE,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_DATA_HOME: join(folder, 'data'),
    ...options.environment,
  };
  const paths = resolveLegionPaths(environment);
  if (!paths.ok) throw new Error(paths.fault.message);
  const state = paths.value.state(legion);
  shareCompileCache(state);
  let running: RunningProcess | undefined;
  const requireDaemon = () => {
    if (running === undefined) throw new Error('no daemon runs');
    return running;
  };
  const daemon: DaemonProcess = {
    get client() {
      return requireDaemon();
    },
    events: () => requireDaemon().events(),
    async start() {
      running = await startDaemonProcess({ repository, state, environment });
      await approveCommands(running);
    },
    async kill() {
      await running?.kill();
      running = undefined;
    },
    runCli: (...args) => legionIn({ cwd: repository, env: environment }, ...args),
    async stop() {
      await running?.stop();
      running = undefined;
    },
  };
  const end = async () => {
    await daemon.stop();
    await endWorkers(state);
    rmSync(folder, { recursive: true, force: true });
  };
  return { daemon, folder, paths: paths.value, end };
}

async function approveCommands({ get, post }: RunningProcess): Promise<void> {
  const all = await get<{ repo: string; fingerprint: string; approved: boolean }[]>('/repositories/commands');
  for (const { repo, fingerprint, approved } of all)
    if (!approved) await post('/repositories/commands/approve', { repo, fingerprint });
}
