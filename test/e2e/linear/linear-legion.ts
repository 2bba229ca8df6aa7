/** A legion on a simulated Linear for one test: a real daemon in a process of its own, real workers, code here or on a simulated GitHub. */
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
import { PROJECT } from '../../../src/demo/project/project.ts';
import { git } from '../../ports/forge/git.ts';
import { makeDemoClone, markAsDemo } from '../../support/demo-repository.ts';
import { type Life, legionApart } from '../../support/legion-process.ts';

/** As Linear's webhooks are signed. */
const SECRET = 'a secret of webhooks';
export const TEAM = DEMO_TEAM;

export interface LinearLife extends Life {
  readonly linear: LinearSimulator;
  readonly seed: DemoSeed;
  /** Where the pull requests are, if not here. */
  readonly github: GithubSimulator | undefined;
  /** Where the daemon keeps the workspace of an issue. */
  workspaceOf(issue: string): string;
  /** Makes a clone of a repository on GitHub into which scripted work may be merged. */
  cloneForDemo(repository: string): Promise<void>;
  /** Webhooks go to the daemon that runs now. */
  listen(how?: { readonly times?: number; readonly shuffled?: number }): void;
}

export interface LinearLifeOptions {
  /** Rules of the scripted agent. */
  readonly rules: readonly object[];
  /** Added to `legion.yaml`; a line replaces one of the same key. */
  readonly yaml?: string;
  readonly forge?: 'local' | 'github';
}

/** Everything is put away after each test, in whatever state it is. */
export function linearStage(): (options: LinearLifeOptions) => Promise<LinearLife> {
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
    const { life, end } = await lifeOf(linear, code, options);
    ends.unshift(end);
    return life;
  };
}

interface Code {
  readonly github: GithubSimulator;
  readonly seed: GithubSeed;
}

async function lifeOf(
  linear: LinearSimulator,
  code: Code | undefined,
  { rules, yaml }: LinearLifeOptions,
): Promise<{ life: LinearLife; end: () => Promise<void> }> {
  const seed = seedDemo(linear);
  const tokens = code?.seed.tokens;
  const apart = legionApart({
    ...{ name: 'legion-linear-life-', legion: seed.team, given: yaml, rules },
    yaml: `legion: ${seed.team}
backend: linear
linear: { url: "${linear.url}" }
${code === undefined ? HERE : onGithub(code)}`,
    environment: {
      ...{ KEY: seed.key, HOOKS: SECRET },
      ...(tokens && { ADA: tokens.ada, IMPL: tokens.impl, REVIEW: tokens.review }),
    },
  });
  if (code === undefined) await layOutSample(join(apart.folder, 'operator'));
  else await makeDemoClone(apart.paths, code.github.url, DEMO_REPO);
  const workspaceOf = (issue: string) => apart.paths.workspace(seed.team, issue);
  const own: Omit<LinearLife, keyof Life> = {
    ...{ linear, seed, github: code?.github, workspaceOf },
    async cloneForDemo(repository) {
      if (code === undefined) throw new Error('there is no GitHub');
      await makeDemoClone(apart.paths, code.github.url, repository);
    },
    listen: (how = {}) =>
      linear.faults.webhooks({ url: `${apart.life.door.url}/webhooks/linear`, secret: SECRET, ...how }),
  };
  const end = async () => {
    linear.faults.outage(undefined);
    await apart.end();
  };
  // In place, because the door is another after each start.
  return { life: Object.assign(apart.life, own), end };
}

const CREDENTIALS = 'linear: { api_key: env:KEY }, webhooks: { linear: env:HOOKS }';

/** The repository around `legion.yaml`. */
const HERE = `forge: local
credentials: { ${CREDENTIALS} }
`;

const onGithub = ({ github }: Code) => `forge: github
github: { url: "${github.url}", write_spacing: 0s }
repos: [{ repo: ${DEMO_REPO}, base: main }]
credentials: { ${CREDENTIALS}, github: { token: env:ADA, impl: { token: env:IMPL }, review: { token: env:REVIEW } } }
`;

async function layOutSample(repository: string): Promise<void> {
  for (const [path, text] of Object.entries({ ...PROJECT, '.gitignore': 'legion.yaml\n' })) {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), text);
  }
  await git(repository, 'init', '--quiet', '--initial-branch=main');
  await markAsDemo(repository);
  await git(repository, 'add', '--all');
  await git(repository, 'commit', '--quiet', '--message=A stockroom');
}
