/**
 * Runs `legion demo` on GitHub as a user would, with the commands that `npm run github -- --demo`
 * prints.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { DEMO_REPO, seedDemo } from '../../../simulators/github/demo.ts';
import type { GithubSimulator } from '../../../simulators/github/simulator.ts';
import { startGithub } from '../../../simulators/github/start.ts';
import { STORIES } from '../../../src/demo/stories.ts';
import type { DemoSummary } from '../../../src/demo/summary.ts';
import { legionIn } from '../../cli/support/legion.ts';
import { livesOf } from '../../demo/lived.ts';

const run = promisify(execFile);
/** The demo's own timeout plus a few seconds for cleanup. */
const WHOLE_MS = 220_000;

const folder = mkdtempSync(join(tmpdir(), 'legion-demo-github-'));
let github: GithubSimulator | undefined;
afterEach(async () => {
  await github?.close();
  rmSync(folder, { recursive: true, force: true });
});

test(
  'takes six issues from a GitHub board to merged pull requests, with passing tests on the main branch',
  async () => {
    github = await startGithub();
    const { project, tokens } = await seedDemo(github);
    // The demo removes `LEGION_` variables from its legion's environment, except those that an
    // option mentions.
    const env = { LEGION_DEMO: tokens.ada, LEGION_DEMO_IMPL: tokens.impl, LEGION_DEMO_REVIEW: tokens.review };
    const place = ['--github-url', github.url, '--project', project, '--repo', DEMO_REPO];
    const options = [...place, '--token-variable', 'LEGION_DEMO', '--folder', join(folder, 'demo')];
    const { code, stdout, stderr } = await legionIn({ env }, 'demo', '--json', ...options);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });

    const summary = JSON.parse(stdout) as DemoSummary;
    expect(summary).toMatchObject({ ok: true, kept: false, tests: { passed: true } });
    expect(summary.issues.map(({ id, status }) => `${id} ${status}`)).toEqual(
      STORIES.map((_, index) => `legion-demo-${index + 1} Done`),
    );
    for (const { title, lives } of summary.issues)
      expect(
        lives.map(({ phase, purpose, end }) => `${phase} ${purpose} ${end}`),
        title,
      ).toEqual(livesOf(title));
    const did = summary.person.map(({ issue, did: act }) => `${issue} ${act.split(/[: ]/)[0]}`);
    expect(did.toSorted()).toEqual([
      'legion-demo-1 answer',
      'legion-demo-1 approve',
      'legion-demo-3 clarify',
    ]);

    const { issues, pullRequests } = github.snapshot();
    expect(issues.map(({ state, statuses }) => [state, statuses[project]])).toEqual(
      STORIES.map(() => ['CLOSED', 'Done']),
    );
    expect(pullRequests.map(({ state, author }) => `${state} ${author}`)).toEqual(
      STORIES.map(() => 'MERGED legion-impl'),
    );
    expect(issues[2]?.comments.filter(({ body }) => !body.includes('<!-- legion:'))).toMatchObject([
      { author: 'ada', body: STORIES[2]?.clarification },
    ]);
    const { stdout: log } = await run('git', [
      '-C',
      github.people.folder(DEMO_REPO),
      'log',
      '--format=%H',
      'main',
    ]);
    const commits = log.trim().split('\n');
    expect(commits).toHaveLength(1 + STORIES.length);
    expect(commits[0]).toBe(summary.tests?.sha);

    // The suggested commands work in any directory if the tokens are set.
    for (const { command } of summary.look)
      await run('sh', ['-c', command], { cwd: '/', env: { ...process.env, ...env } });
  },
  WHOLE_MS,
);
