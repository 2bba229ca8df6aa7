/** What CI says about an issue, as a person asks for it. */
import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LegionError } from '../../../../src/core/model/fault.ts';
import { ci } from '../../../../src/daemon/services/operator/ci.ts';
import type { Forge } from '../../../../src/ports/forge.ts';
import { eventually } from '../../../ports/forge/eventually.ts';
import { REPOSITORY_CONFIG } from '../../../support/checked-repository.ts';
import { type DeskLegion, deskLegion } from '../legion.ts';

const TOKEN = `ghp_${'a1'.repeat(18)}`;
const CI_SCRIPT = `i=0; while [ $i -lt 60 ]; do i=$((i+1)); echo "line $i"; done
echo "login with ${TOKEN} and lw1.abc.def"
if [ -f red ]; then echo "the lamp is red"; exit 1; fi
`;

let legion: DeskLegion;
let desk: DeskLegion['desks']['operator'];
beforeAll(async () => {
  legion = await deskLegion({ [REPOSITORY_CONFIG]: 'commands: { ci: [sh, ci.sh] }\n', 'ci.sh': CI_SCRIPT });
  desk = legion.desks.operator;
});
afterAll(() => legion.close());

const QUERY = { lines: 20 } as const;

async function approve(): Promise<void> {
  const [shown] = await desk.repositoryCommands();
  if (shown?.approved === false) await desk.approveCommands(shown.repo, shown.fingerprint, 'ada');
}

/** An issue whose CI has ended. */
async function checked(files: Readonly<Record<string, string>>) {
  await approve();
  const issue = await legion.issue('In Progress');
  const { number, head } = await legion.pullRequest(issue, files);
  const view = await eventually('a result of CI', async () => {
    const now = await desk.ci(issue, QUERY);
    return now.status === 'pending' ? undefined : now;
  });
  return { issue, number, head, view };
}

test('an issue without a pull request says so, and what to do', async () => {
  const issue = await legion.issue('Todo');
  expect(await desk.ci(issue, QUERY)).toMatchObject({
    issue,
    number: null,
    sha: null,
    status: 'none',
    says: `${issue} has no pull request yet: CI runs when a worker has opened one.`,
    next: expect.stringContaining(`legion explain ${issue}`),
    checks: [],
  });
});

test('a pull request without CI says how to get one', async () => {
  const issue = await legion.issue('In Progress');
  const { number, head } = await legion.pullRequest(issue);
  expect(await desk.ci(issue, QUERY)).toMatchObject({
    ...{ number, sha: head, status: 'none', checks: [] },
    says: 'No check is configured for this pull request.',
    next: expect.stringContaining('commands.ci in .legion/config.yml'),
  });
});

test('red CI shows the last lines of its log, without secrets; green CI as well', async () => {
  const red = await checked({ red: 'x\n' });
  expect(red.view).toMatchObject({
    ...{ number: red.number, sha: red.head, status: 'failing' },
    says: 'CI fails at the head of the pull request.',
    checks: [{ name: 'ci', status: 'failing' }],
  });
  const log = red.view.checks[0]?.log?.split('\n') ?? [];
  expect(log).toHaveLength(20);
  expect(log.slice(-3)).toEqual(['line 60', 'login with [redacted] and [redacted]', 'the lamp is red']);

  const green = await checked({ green: 'x\n' });
  expect(green.view.status).toBe('passing');
  expect(green.view.checks[0]?.log).toContain('line 60');
  expect(green.view.next).toBeUndefined();
});

test('the lines are as many as were asked for, and a check is asked for by its name', async () => {
  const { issue } = await checked({ red: 'again\n' });
  const one = await desk.ci(issue, { lines: 1, check: 'ci' });
  expect(one.checks).toMatchObject([{ log: 'the lamp is red' }]);
  await expect(desk.ci(issue, { lines: 1, check: 'lint' })).rejects.toMatchObject({
    code: 'forge.check_unknown',
    message: expect.stringMatching(/^No check "lint" at [0-9a-f]{12}\. Valid: ci\.$/),
  });
});

test('a log that was deleted is missing, and CI runs again', async () => {
  const { issue, head } = await checked({ red: 'deleted\n' });
  const { state } = legion.world.folders;
  const [file] = globSync(`**/${head}.json`, { cwd: state });
  rmSync(join(state, file ?? 'there is no such file'));
  expect(await desk.ci(issue, QUERY)).toMatchObject({
    status: 'pending',
    checks: [{ name: 'ci', status: 'pending', missing: expect.stringContaining('still running') }],
  });
});

test('an unknown issue and a forge that cannot be read are errors with their reason', async () => {
  await expect(desk.ci('DEMO-999', QUERY)).rejects.toMatchObject({ code: 'tracker.issue_unknown' });
  const issue = await legion.issue('In Progress');
  const away = new LegionError('forge.unavailable', 'the disk is gone');
  const refusing = world({ pullRequests: () => Promise.reject(away) });
  await expect(ci(refusing, issue, QUERY)).rejects.toMatchObject({
    code: 'forge.unavailable',
    message: 'the disk is gone',
  });
  const unknown = world({
    pullRequests: async () => new Map([[issue, 'unknown' as const]]),
    whyUnknown: () => 'it may not be read',
  });
  await expect(ci(unknown, issue, QUERY)).rejects.toMatchObject({
    code: 'forge.unavailable',
    message: `The pull request of ${issue} cannot be read: it may not be read`,
  });
});

test('problems of the repository itself are shown, such as a red base branch', async () => {
  const issue = await legion.issue('Todo');
  const red = { code: 'baseline.failed', message: 'main is red\nno tea', next: 'Mend it.' } as const;
  const preflight = {
    ...legion.world.preflight,
    problems: () => [
      { ...red, repo: 'repository' },
      { ...red, message: 'another one', repo: 'elsewhere' },
    ],
  };
  expect((await ci({ ...legion.world, preflight }, issue, QUERY)).problems).toEqual([red]);
});

/** The same world, whose forge answers otherwise. */
function world(changes: Partial<Forge>): DeskLegion['world'] {
  const { repositories } = legion.world;
  const of: typeof repositories.of = (issue) => {
    const repository = repositories.of(issue);
    return { ...repository, forge: { ...repository.forge, ...changes } };
  };
  return { ...legion.world, repositories: { ...repositories, of } };
}
