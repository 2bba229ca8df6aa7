/**
 * A home with a simulated Linear: a repository, the team `ENG`, and the key of a person with write
 * access.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LinearSimulator, NewTeam } from '../../../simulators/linear/simulator.ts';
import { startLinear } from '../../../simulators/linear/start.ts';
import { resolveConfig } from '../../../src/config/legion/resolve.ts';
import { type Home, makeRepository, newHome } from './home.ts';
import { type Outcome, perform } from './in-process.ts';

export interface LinearHome {
  readonly linear: LinearSimulator;
  readonly home: Home;
  /** Environment with the key in LINEAR_API_KEY. */
  readonly env: Readonly<Record<string, string>>;
  readonly key: string;
  /** UUID of `ENG`. */
  readonly team: string;
  readonly file: string;
  run(...argv: string[]): Promise<Outcome>;
  /** Runs a command with another key, or without a key if `key` is empty. */
  runWith(key: string, ...argv: string[]): Promise<Outcome>;
  /** Runs `legion init` with the URL of this Linear. */
  init(...argv: string[]): Promise<Outcome>;
  /** Operations that changed something in Linear, or tried to. */
  writes(): readonly string[];
  close(): Promise<void>;
}

export async function linearHome(team: Partial<NewTeam> = {}): Promise<LinearHome> {
  const linear = await startLinear();
  const { people } = linear;
  people.user('ada');
  const id = people.team({ key: 'ENG', name: 'Engineering', ...team });
  const home = newHome();
  makeRepository(home.repository);
  const key = people.apiKey('ada');
  const env = { ...home.env, LINEAR_API_KEY: key };
  const runWith = (given: string, ...argv: string[]) =>
    perform({ cwd: home.repository, env: { ...env, LINEAR_API_KEY: given } }, ...argv);
  const run = (...argv: string[]) => runWith(key, ...argv);
  return {
    linear,
    home,
    env,
    key,
    team: id,
    run,
    runWith,
    file: join(home.repository, 'legion.yaml'),
    init: (...argv) => run('init', '--linear-url', linear.url, ...argv),
    writes: () => linear.requests().flatMap(({ write, name }) => (write && name !== ASKED ? [name] : [])),
    async close() {
      await linear.close();
      home.remove();
    },
  };
}

/** Operation with which Legion tests whether a key can write. It writes to a nonexistent issue. */
const ASKED = 'MayWrite';

/** Reads the configuration that `legion init` wrote. */
export function written({ file }: LinearHome) {
  const text = readFileSync(file, 'utf8');
  const resolved = resolveConfig({ flags: [], file: { path: file, text }, environment: {} });
  if (!resolved.ok) throw new Error(resolved.fault.message);
  return resolved.value.config;
}
