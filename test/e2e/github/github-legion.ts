/** A legion on a simulated GitHub for one test: a real daemon in a process of its own, real workers, real git over HTTP. */
import { afterEach } from 'vitest';
import { DEMO_REPO, type DemoSeed, seedDemo } from '../../../simulators/github/demo.ts';
import type { GithubSimulator } from '../../../simulators/github/simulator.ts';
import { startGithub } from '../../../simulators/github/start.ts';
import { makeDemoClone } from '../../support/demo-repository.ts';
import { type Life, legionApart } from '../../support/legion-process.ts';

/** As GitHub's webhooks are signed. */
const SECRET = 'a secret of webhooks';

export interface GithubLife extends Life {
  readonly github: GithubSimulator;
  readonly seed: DemoSeed;
  /** Webhooks go to the daemon that runs now. */
  listen(how?: { readonly times?: number; readonly shuffled?: number }): void;
}

export interface GithubLifeOptions {
  /** Rules of the scripted agent. */
  readonly rules: readonly object[];
  /** Added to `legion.yaml`; a line replaces one of the same key. */
  readonly yaml?: string;
}

const YAML = (url: string, { project }: DemoSeed) => `legion: ${project}
backend: github
github: { url: "${url}", write_spacing: 0s }
repos: [{ repo: ${DEMO_REPO}, base: main }]
credentials: { github: { token: env:ADA, impl: { token: env:IMPL }, review: { token: env:REVIEW } }, webhooks: { github: env:HOOKS } }
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
    const { life, end } = await lifeOf(github, seed, options);
    ends.unshift(end);
    return life;
  };
}

async function lifeOf(github: GithubSimulator, seed: DemoSeed, { rules, yaml }: GithubLifeOptions) {
  const { ada: ADA, impl: IMPL, review: REVIEW } = seed.tokens;
  const apart = legionApart({
    ...{
      name: 'legion-github-life-',
      legion: seed.project,
      yaml: YAML(github.url, seed),
      given: yaml,
      rules,
    },
    environment: { ADA, IMPL, REVIEW, HOOKS: SECRET },
  });
  await makeDemoClone(apart.paths, github.url, DEMO_REPO);
  const own: Omit<GithubLife, keyof Life> = {
    ...{ github, seed },
    listen: (how = {}) =>
      github.faults.webhooks({ url: `${apart.life.door.url}/webhooks/github`, secret: SECRET, ...how }),
  };
  // In place, because the door is another after each start.
  const life: GithubLife = Object.assign(apart.life, own);
  const end = async () => {
    github.faults.outage(undefined);
    await apart.end();
  };
  return { life, end };
}
