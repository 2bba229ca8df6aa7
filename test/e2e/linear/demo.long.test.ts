/**
 * Runs `legion demo` on Linear as a user would, with the commands that `npm run linear -- --demo`
 * prints.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { DEMO_REPO, seedDemo as seedGithub } from '../../../simulators/github/demo.ts';
import { startGithub } from '../../../simulators/github/start.ts';
import { seedDemo } from '../../../simulators/linear/demo.ts';
import type { LinearSnapshot } from '../../../simulators/linear/simulator.ts';
import { startLinear } from '../../../simulators/linear/start.ts';
import { LABELS } from '../../../src/core/model/label.ts';
import { STATUSES } from '../../../src/core/model/status.ts';
import { STORIES } from '../../../src/demo/stories.ts';
import type { DemoSummary } from '../../../src/demo/summary.ts';
import { isOwnId } from '../../../src/integrations/linear/client/own-id.ts';
import { legionIn } from '../../cli/support/legion.ts';
import { livesOf } from '../../demo/lived.ts';

const run = promisify(execFile);
/** The demo's own timeout plus a few seconds for cleanup. */
const WHOLE_MS = 220_000;

const folder = mkdtempSync(join(tmpdir(), 'legion-demo-linear-'));
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  rmSync(folder, { recursive: true, force: true });
});

async function played(
  env: Readonly<Record<string, string>>,
  ...options: readonly string[]
): Promise<DemoSummary> {
  const { code, stdout, stderr } = await legionIn(
    { env },
    'demo',
    '--json',
    ...options,
    '--folder',
    join(folder, 'demo'),
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const summary = JSON.parse(stdout) as DemoSummary;
  // The suggested commands work in any directory if the keys are set.
  for (const { command } of summary.look)
    await run('sh', ['-c', command], { cwd: '/', env: { ...process.env, ...env } });
  return summary;
}

function expectPlayed(summary: DemoSummary, { issues }: LinearSnapshot, team: string): void {
  expect(summary).toMatchObject({ ok: true, kept: false, tests: { passed: true } });
  expect(summary.issues.map(({ id, status }) => `${id} ${status}`)).toEqual(
    STORIES.map((_, index) => `${team}-${index + 1} Done`),
  );
  for (const { title, lives } of summary.issues)
    expect(
      lives.map(({ phase, purpose, end }) => `${phase} ${purpose} ${end}`),
      title,
    ).toEqual(livesOf(title));
  const did = summary.person.map(({ issue, did: act }) => `${issue} ${act.split(/[: ]/)[0]}`);
  expect(did.toSorted()).toEqual([`${team}-1 answer`, `${team}-1 approve`, `${team}-3 clarify`]);

  expect(issues.map(({ identifier, state, stateType }) => `${identifier} ${state} ${stateType}`)).toEqual(
    STORIES.map((_, index) => `${team}-${index + 1} Done completed`),
  );
  // All comments that Legion did not write were written by the person.
  expect(
    issues.map(({ comments }) => comments.filter(({ id }) => !isOwnId(id)).map(({ body }) => body)),
  ).toEqual(
    STORIES.map(({ answer, clarification }) => [answer, clarification].filter((text) => text !== undefined)),
  );
}

test(
  'takes six issues of a new Linear team to Done after creating missing states and labels',
  async () => {
    const linear = await startLinear();
    ends.push(() => linear.close());
    linear.people.user('ada');
    linear.people.team({ key: 'ENG', name: 'Engineering' });
    // The demo removes `LINEAR_` variables from its legion's environment, except those that an
    // option mentions.
    const env = { LINEAR_API_KEY: linear.people.apiKey('ada') };
    const options = ['--linear-url', linear.url, '--team', 'Engineering', '--key-variable', 'LINEAR_API_KEY'];
    const summary = await played(env, ...options);
    expectPlayed(summary, linear.snapshot(), 'ENG');
    const { states, labels } = linear.snapshot();
    const { ENG: own } = states;
    const names = own?.map(({ name }) => (name === 'In Review' ? 'Needs Review' : name));
    expect(names).toEqual(expect.arrayContaining([...STATUSES]));
    expect(labels.map(({ name }) => name)).toEqual(expect.arrayContaining([...LABELS, 'bug', 'feature']));
  },
  WHOLE_MS,
);

test(
  'links each Linear issue to its own pull request on GitHub, and creates no issues on GitHub',
  async () => {
    const linear = await startLinear();
    ends.push(() => linear.close());
    const { key } = seedDemo(linear);
    const github = await startGithub();
    ends.push(() => github.close());
    const { tokens } = await seedGithub(github);
    const env = {
      DEMO_KEY: key,
      DEMO_TOKEN: tokens.ada,
      DEMO_TOKEN_IMPL: tokens.impl,
      DEMO_TOKEN_REVIEW: tokens.review,
    };
    const board = ['--linear-url', linear.url, '--team', 'DEMO', '--key-variable', 'DEMO_KEY'];
    const code = ['--github-url', github.url, '--repo', DEMO_REPO, '--token-variable', 'DEMO_TOKEN'];
    const summary = await played(env, ...board, ...code);
    expectPlayed(summary, linear.snapshot(), 'DEMO');
    const { pullRequests, issues } = github.snapshot();
    expect(issues).toEqual([]);
    expect(pullRequests.map(({ state, author }) => `${state} ${author}`)).toEqual(
      STORIES.map(() => 'MERGED legion-impl'),
    );
    const shown = linear.snapshot().issues.map(({ identifier, attachments }) => [identifier, attachments]);
    expect(Object.fromEntries(shown)).toEqual(
      Object.fromEntries(
        pullRequests.map(({ head, number }) => [head, [`${github.url}/${DEMO_REPO}/pull/${number}`]]),
      ),
    );
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
  },
  WHOLE_MS,
);
