/**
 * Runs a legion on a simulated Linear for one test, with a real daemon process and real workers.
 * The code is on this machine or on a simulated GitHub.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';
import {
  DEMO_REPO,
  type DemoSeed as GithubSeed,
  seedDemo as seedGithub,
} from '../../../simulators/github/demo.ts';
import type { GithubSimulator } from '../../../simulators/github/simulator.ts';
import { startGithub } from '../../../simulators/github/start.ts';
import { DEMO_TEAM, type DemoSeed, seedDemo } from '../../../simulators/linear/demo.ts';
import type { LinearSimulator } from '../../../simulators/linear/simulator.ts';
import { startLinear } from '../../../simulators/linear/start.ts';
import { PROJECT } from '../../../src/demo/project.ts';
import { git } from '../../ports/forge/git.ts';
import { makeDemoClone, markAsDemo } from '../../support/demo-repository.ts';
import { createLegionProcess, type DaemonProcess } from '../../support/legion-process.ts';

/** Secret that signs Linear's webhooks. */
const SECRET = 'a secret of webhooks';
export const TEAM = DEMO_TEAM;

export interface LinearDaemon extends DaemonProcess {
  readonly linear: LinearSimulator;
  readonly seed: DemoSeed;
  /** The simulated GitHub that has the pull requests. Undefined if the code is local. */
  readonly github: GithubSimulator | undefined;
  /** Returns the directory of an issue's workspace. */
  workspaceOf(issue: string): string;
  /**
   * Clones a GitHub repository and marks the clone as a demo, so that scripted work may be merged
   * into it.
   */
  cloneForDemo(repository: string): Promise<void>;
  /** Sends webhooks to the currently running daemon. */
  sendWebhooks(how?: { readonly times?: number; readonly shuffled?: number }): void;
}

export interface LinearDaemonOptions {
  /** Rules of the scripted agent. */
  readonly rules: readonly object[];
  /** Lines added to `legion.yaml`. Each replaces an existing line with the same key. */
  readonly yaml?: string;
  readonly forge?: 'local' | 'github';
}

/**
 * Returns a function that starts a legion. Each legion is removed after its test, however the test
 * ended.
 */
export function setUpLinearDaemons(): (options: LinearDaemonOptions) => Promise<LinearDaemon> {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });
  return async (options) => {
    const linear = await startLinear();
    ends.push(() => linear.close());
    const github = options.forge === 'github' ? await startGithub() : undefined;
    if (github !== undefined) ends.push(() => github.close());
    const code = github && { github, seed: await seedGithub(github) };
    const { daemon, end } = await createDaemon(linear, code, options);
    ends.unshift(end);
    return daemon;
  };
}

interface GithubCode {
  readonly github: GithubSimulator;
  readonly seed: GithubSeed;
}

async function createDaemon(
  linear: LinearSimulator,
  code: GithubCode | undefined,
  { rules, yaml }: LinearDaemonOptions,
): Promise<{ daemon: LinearDaemon; end: () => Promise<void> }> {
  const seed = seedDemo(linear);
  const tokens = code?.seed.tokens;
  const apart = createLegionProcess({
    name: 'legion-linear-e2e-',
    legion: seed.team,
    overrides: yaml,
    rules,
    yaml: `legion: ${seed.team}
backend: linear
linear: { url: "${linear.url}" }
${code === undefined ? LOCAL_FORGE : configureGithub(code)}`,
    environment: {
      KEY: seed.key,
      HOOKS: SECRET,
      ...(tokens && { ADA: tokens.ada, IMPL: tokens.impl, REVIEW: tokens.review }),
    },
  });
  if (code === undefined) await createSampleRepository(join(apart.folder, 'operator'));
  else await makeDemoClone(apart.paths, code.github.url, DEMO_REPO);
  const workspaceOf = (issue: string) => apart.paths.workspace(seed.team, issue);
  const own: Omit<LinearDaemon, keyof DaemonProcess> = {
    linear,
    seed,
    github: code?.github,
    workspaceOf,
    async cloneForDemo(repository) {
      if (code === undefined) throw new Error('there is no GitHub');
      await makeDemoClone(apart.paths, code.github.url, repository);
    },
    sendWebhooks: (how = {}) =>
      linear.faults.webhooks({ url: `${apart.daemon.client.url}/webhooks/linear`, secret: SECRET, ...how }),
  };
  const end = async () => {
    linear.faults.outage(undefined);
    await apart.end();
  };
  // The object is updated in place, because the HTTP client changes with each start.
  return { daemon: Object.assign(apart.daemon, own), end };
}

const CREDENTIALS = 'linear: { api_key: env:KEY }, webhooks: { linear: env:HOOKS }';

/** Configures the repository that contains `legion.yaml`. */
const LOCAL_FORGE = `forge: local
credentials: { ${CREDENTIALS} }
`;

const configureGithub = ({ github }: GithubCode) => `forge: github
github: { url: "${github.url}", write_spacing: 0s }
repos: [{ repo: ${DEMO_REPO}, base: main }]
credentials: { ${CREDENTIALS}, github: { token: env:ADA, impl: { token: env:IMPL }, review: { token: env:REVIEW } } }
`;

async function createSampleRepository(repository: string): Promise<void> {
  for (const [path, text] of Object.entries({ ...PROJECT, '.gitignore': 'legion.yaml\n' })) {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), text);
  }
  await git(repository, 'init', '--quiet', '--initial-branch=main');
  await markAsDemo(repository);
  await git(repository, 'add', '--all');
  await git(repository, 'commit', '--quiet', '--message=A stockroom');
}
