/** A legion in a temporary folder whose daemon is a process of its own, to be killed and started again; its board is elsewhere. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LegionPaths, legionPaths } from '../../src/config/paths.ts';
import type { Event } from '../../src/core/model/event.ts';
import { legionIn, type Said } from '../cli/support/legion.ts';
import { endWorkersOf } from './end-workers.ts';
import { COMPILED, shareCompiled } from './running-daemon.ts';
import { type RunningApart, startApart } from './running-process.ts';

export interface Life {
  readonly door: RunningApart;
  /** The daemon's events so far. */
  events(): Promise<readonly Event[]>;
  start(): Promise<void>;
  /** `kill -9`. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** The command line, as the operator uses it in the repository. */
  legion(...args: string[]): Promise<Said>;
}

export interface ApartOptions {
  /** Of the temporary folder. */
  readonly name: string;
  readonly legion: string;
  /** Lines of `legion.yaml`; a line of `given` replaces one of the same key. */
  readonly yaml: string;
  readonly given?: string | undefined;
  /** Rules of the scripted agent. */
  readonly rules: readonly object[];
  readonly environment: Readonly<Record<string, string>>;
}

export interface LegionApart {
  readonly life: Life;
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

export function legionApart(options: ApartOptions): LegionApart {
  const { name, legion, yaml, given = '', rules } = options;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), name)));
  const scenario = join(folder, 'scenario.json');
  writeFileSync(scenario, JSON.stringify({ rules }));
  const keys = new Set([...given.matchAll(/^(\w+):/gm)].map(([, key]) => key));
  const base = `${yaml}${YAML(scenario)}`.split('\n');
  const kept = base.filter((line) => !keys.has(/^(\w+):/.exec(line)?.[1] ?? ''));
  const repository = join(folder, 'operator');
  mkdirSync(repository);
  writeFileSync(join(repository, 'legion.yaml'), `${kept.join('\n')}${given}`);
  const { PATH = '' } = process.env;
  const environment = {
    ...{ PATH, HOME: folder, XDG_CACHE_HOME: COMPILED },
    ...{ XDG_STATE_HOME: join(folder, 'state'), XDG_DATA_HOME: join(folder, 'data') },
    ...options.environment,
  };
  const paths = legionPaths(environment);
  if (!paths.ok) throw new Error(paths.fault.message);
  const state = paths.value.state(legion);
  shareCompiled(state);
  let running: RunningApart | undefined;
  const door = () => {
    if (running === undefined) throw new Error('no daemon runs');
    return running;
  };
  const life: Life = {
    get door() {
      return door();
    },
    events: () => door().events(),
    async start() {
      running = await startApart({ repository, state, environment });
      await approveCommands(running);
    },
    async kill() {
      await running?.kill();
      running = undefined;
    },
    legion: (...args) => legionIn({ cwd: repository, env: environment }, ...args),
    async stop() {
      await running?.stop();
      running = undefined;
    },
  };
  const end = async () => {
    await life.stop();
    await endWorkersOf(state);
    rmSync(folder, { recursive: true, force: true });
  };
  return { life, folder, paths: paths.value, end };
}

async function approveCommands({ get, post }: RunningApart): Promise<void> {
  const all = await get<{ repo: string; fingerprint: string; approved: boolean }[]>('/repositories/commands');
  for (const { repo, fingerprint, approved } of all)
    if (!approved) await post('/repositories/commands/approve', { repo, fingerprint });
}
