/** Tests how the CI results of an issue are reported to a person. */
import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LegionError } from '../../../../src/core/model/fault.ts';
import { readCi } from '../../../../src/daemon/services/operator/ci.ts';
import type { Forge } from '../../../../src/ports/forge.ts';
import { eventually } from '../../../ports/forge/eventually.ts';
import { REPOSITORY_CONFIG } from '../../../support/checked-repository.ts';
import { overridePort } from '../../../support/override-port.ts';
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

/** Creates an issue whose CI has finished. */
async function checked(files: Readonly<Record<string, string>>) {
  await approve();
  const issue = await legion.issue('In Progress');
  const { number, head } = await legion.pullRequest(issue, files);
  const view = await eventually('a CI result', async () => {
    const now = await desk.ci(issue, QUERY);
    return now.status === 'pending' ? undefined : now;
  });
  return { issue, number, head, view };
}

test('says that an issue has no pull request, and what the person can do', async () => {
  const issue = await legion.issue('Todo');
  expect(await desk.ci(issue, QUERY)).toMatchObject({
    issue,
    number: null,
    sha: null,
    status: 'none',
    says: `${issue} has no pull request yet: CI runs once a worker has opened one.`,
    next: expect.stringContaining(`legion explain ${issue}`),
    checks: [],
  });
});

test('for a pull request without CI, explains how to set CI up', async () => {
  const issue = await legion.issue('In Progress');
  const { number, head } = await legion.pullRequest(issue);
  expect(await desk.ci(issue, QUERY)).toMatchObject({
    number,
    sha: head,
    status: 'none',
    checks: [],
    says: 'No check is configured for this pull request.',
    next: expect.stringContaining('commands.ci in .legion/config.yml'),
  });
});

test('shows the last lines of a red or green CI log, without secrets', async () => {
  const red = await checked({ red: 'x\n' });
  expect(red.view).toMatchObject({
    number: red.number,
    sha: red.head,
    status: 'failing',
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

test('shows as many lines as requested, and selects a check by its name', async () => {
  const { issue } = await checked({ red: 'again\n' });
  const one = await desk.ci(issue, { lines: 1, check: 'ci' });
  expect(one.checks).toMatchObject([{ log: 'the lamp is red' }]);
  await expect(desk.ci(issue, { lines: 1, check: 'lint' })).rejects.toMatchObject({
    code: 'forge.check_unknown',
    message: expect.stringMatching(/^No check "lint" at [0-9a-f]{12}\. Valid: ci\.$/),
  });
});

test('reports a deleted log as missing, and runs CI again', async () => {
  const { issue, head } = await checked({ red: 'deleted\n' });
  const { state } = legion.world.folders;
  const [file] = globSync(`**/${head}.json`, { cwd: state });
  rmSync(join(state, file ?? 'there is no such file'));
  expect(await desk.ci(issue, QUERY)).toMatchObject({
    status: 'pending',
    checks: [{ name: 'ci', status: 'pending', missing: expect.stringContaining('still running') }],
  });
});

test('reports an unknown issue and an unreadable forge as errors with their reason', async () => {
  await expect(desk.ci('DEMO-999', QUERY)).rejects.toMatchObject({ code: 'tracker.issue_unknown' });
  const issue = await legion.issue('In Progress');
  const away = new LegionError('forge.unavailable', 'the disk is gone');
  const refusing = world({ pullRequests: () => Promise.reject(away) });
  await expect(readCi(refusing, issue, QUERY)).rejects.toMatchObject({
    code: 'forge.unavailable',
    message: 'the disk is gone',
  });
  const unknown = world({
    pullRequests: async () => new Map([[issue, 'unknown' as const]]),
    whyUnknown: () => 'it may not be read',
  });
  await expect(readCi(unknown, issue, QUERY)).rejects.toMatchObject({
    code: 'forge.unavailable',
    message: `The pull request of ${issue} cannot be read: it may not be read`,
  });
});

test('shows problems of the repository itself, such as a red base branch', async () => {
  const issue = await legion.issue('Todo');
  const red = { code: 'baseline.failed', message: 'main is red\nno tea', next: 'Mend it.' } as const;
  const preflight = {
    ...legion.world.preflight,
    problems: () => [
      { ...red, repo: 'repository' },
      { ...red, message: 'another one', repo: 'elsewhere' },
    ],
  };
  expect((await readCi({ ...legion.world, preflight }, issue, QUERY)).problems).toEqual([red]);
});

/** Returns the same daemon context with a changed forge. */
function world(changes: Partial<Forge>): DeskLegion['world'] {
  const { repositories } = legion.world;
  const of: typeof repositories.require = (issue) => {
    const repository = repositories.require(issue);
    return { ...repository, forge: overridePort(repository.forge, changes) };
  };
  return { ...legion.world, repositories: { ...repositories, require: of } };
}
