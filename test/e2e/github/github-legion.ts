/**
 * Runs a legion on a simulated GitHub for one test, with a real daemon process, real workers and
 * real git over HTTP.
 */
import { afterEach } from 'vitest';
import { DEMO_REPO, type DemoSeed, seedDemo } from '../../../simulators/github/demo.ts';
import type { GithubSimulator } from '../../../simulators/github/simulator.ts';
import { startGithub } from '../../../simulators/github/start.ts';
import { makeDemoClone } from '../../support/demo-repository.ts';
import { createLegionProcess, type DaemonProcess } from '../../support/legion-process.ts';

/** Secret that signs GitHub's webhooks. */
const SECRET = 'a secret of webhooks';

export interface GithubDaemon extends DaemonProcess {
  readonly github: GithubSimulator;
  readonly seed: DemoSeed;
  /** Sends webhooks to the currently running daemon. */
  sendWebhooks(how?: { readonly times?: number; readonly shuffled?: number }): void;
}

export interface GithubDaemonOptions {
  /** Rules of the scripted agent. */
  readonly rules: readonly object[];
  /** Lines added to `legion.yaml`. Each replaces an existing line with the same key. */
  readonly yaml?: string;
}

const YAML = (url: string, { project }: DemoSeed) => `legion: ${project}
backend: github
github: { url: "${url}", write_spacing: 0s }
repos: [{ repo: ${DEMO_REPO}, base: main }]
credentials: { github: { token: env:ADA, impl: { token: env:IMPL }, review: { token: env:REVIEW } }, webhooks: { github: env:HOOKS } }
`;

/**
 * Returns a function that starts a legion. Each legion is removed after its test, however the test
 * ended.
 */
export function setUpGithubDaemons(): (options: GithubDaemonOptions) => Promise<GithubDaemon> {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });
  return async (options) => {
    const github = await startGithub();
    ends.push(() => github.close());
    const seed = await seedDemo(github);
    const { daemon, end } = await createDaemon(github, seed, options);
    ends.unshift(end);
    return daemon;
  };
}

async function createDaemon(github: GithubSimulator, seed: DemoSeed, { rules, yaml }: GithubDaemonOptions) {
  const { ada: ADA, impl: IMPL, review: REVIEW } = seed.tokens;
  const apart = createLegionProcess({
    name: 'legion-github-e2e-',
    legion: seed.project,
    yaml: YAML(github.url, seed),
    overrides: yaml,
    rules,
    environment: { ADA, IMPL, REVIEW, HOOKS: SECRET },
  });
  await makeDemoClone(apart.paths, github.url, DEMO_REPO);
  const own: Omit<GithubDaemon, keyof DaemonProcess> = {
    github,
    seed,
    sendWebhooks: (how = {}) =>
      github.faults.webhooks({ url: `${apart.daemon.client.url}/webhooks/github`, secret: SECRET, ...how }),
  };
  // The object is updated in place, because the HTTP client changes with each start.
  const daemon: GithubDaemon = Object.assign(apart.daemon, own);
  const end = async () => {
    github.faults.outage(undefined);
    await apart.end();
  };
  return { daemon, end };
}
