/** A legion on a simulated GitHub for one test: a real daemon in a process of its own, real workers, real git over HTTP. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { DEMO_REPO, type DemoSeed, seedDemo } from '../../simulators/github/demo.ts';
import type { GithubSimulator } from '../../simulators/github/simulator.ts';
import { startGithub } from '../../simulators/github/start.ts';
import { legionPaths } from '../../src/config/paths.ts';
import type { Event } from '../../src/domain/event.ts';
import { endWorkersOf } from '../daemon/end-workers.ts';
import { COMPILED, shareCompiled } from '../daemon/running.ts';
import { type RunningApart, startApart } from '../daemon/running-apart.ts';

/** As GitHub's webhooks are signed. */
const SECRET = 'a secret of webhooks';

export interface GithubLife {
  readonly github: GithubSimulator;
  readonly seed: DemoSeed;
  readonly door: RunningApart;
  /** The daemon's events so far. */
  events(): Promise<readonly Event[]>;
  start(): Promise<void>;
  /** `kill -9`. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** Webhooks go to the daemon that runs now. */
  listen(how?: { readonly times?: number; readonly shuffled?: number }): void;
}

export interface GithubLifeOptions {
  /** Rules of the scripted agent. */
  readonly rules: readonly object[];
  /** Added to `legion.yaml`; a line replaces one of the same key. */
  readonly yaml?: string;
}

const YAML = (url: string, { project }: DemoSeed, scenario: string) => `legion: ${project}
backend: github
github: { url: "${url}", write_spacing: 0s }
repos: [{ repo: ${DEMO_REPO}, base: main }]
credentials: { github: { token: env:ADA, impl: { token: env:IMPL }, review: { token: env:REVIEW } }, webhooks: { github: env:HOOKS } }
port: 0
approvals: { architect: auto, merge: auto }
dispatch: { stagger: 0s }
agents: { default: { agent: scripted, model: ${scenario} } }
polling: { interval: 2s, slow_after: 1000 }
health: { grace: 0s, second_look: 0.5s, backoff_first: 0.1s, after_step: 1s }
`;

/** Everything is put away after each test, in whatever state it is. */
export function githubStage(): (options: GithubLifeOptions) => Promise<GithubLife> {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });
  return async (options) => {
    const github = await startGithub();
    ends.push(() => github.close());
    const seed = await seedDemo(github);
    const { life, end } = lifeOf(github, seed, options);
    ends.unshift(end);
    return life;
  };
}

function lifeOf(github: GithubSimulator, seed: DemoSeed, { rules, yaml = '' }: GithubLifeOptions) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'legion-github-life-')));
  const scenario = join(folder, 'scenario.json');
  writeFileSync(scenario, JSON.stringify({ rules }));
  const given = new Set([...yaml.matchAll(/^(\w+):/gm)].map(([, key]) => key));
  const base = YAML(github.url, seed, scenario).split('\n');
  const kept = base.filter((line) => !given.has(/^(\w+):/.exec(line)?.[1] ?? ''));
  const repository = join(folder, 'operator');
  mkdirSync(repository);
  writeFileSync(join(repository, 'legion.yaml'), `${kept.join('\n')}${yaml}`);
  const { PATH = '' } = process.env;
  const environment = {
    ...{ PATH, HOME: folder, XDG_CACHE_HOME: COMPILED },
    ...{ XDG_STATE_HOME: join(folder, 'state'), XDG_DATA_HOME: join(folder, 'data') },
    ...{ ADA: seed.tokens.ada, IMPL: seed.tokens.impl, REVIEW: seed.tokens.review, HOOKS: SECRET },
  };
  const paths = legionPaths(environment);
  if (!paths.ok) throw new Error(paths.fault.message);
  const state = paths.value.state(seed.project);
  shareCompiled(state);
  let running: RunningApart | undefined;
  const door = () => {
    if (running === undefined) throw new Error('no daemon runs');
    return running;
  };
  const life: GithubLife = {
    github,
    seed,
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
    async stop() {
      await running?.stop();
      running = undefined;
    },
    listen: (how = {}) =>
      github.faults.webhooks({ url: `${door().url}/webhooks/github`, secret: SECRET, ...how }),
  };
  const end = async () => {
    github.faults.outage(undefined);
    await life.stop();
    await endWorkersOf(state);
    rmSync(folder, { recursive: true, force: true });
  };
  return { life, end };
}

async function approveCommands({ get, post }: RunningApart): Promise<void> {
  const [shown] =
    await get<{ repo: string; fingerprint: string; approved: boolean }[]>('/repositories/commands');
  if (shown?.approved === false)
    await post('/repositories/commands/approve', { repo: shown.repo, fingerprint: shown.fingerprint });
}
