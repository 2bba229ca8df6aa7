import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeSinceLastLook } from '../../../src/daemon/prompt/since-last-look.ts';
import { git } from '../../ports/forge/git.ts';
import { openWorking, type Working } from '../worker-api/working.ts';

let working: Working;
beforeAll(async () => {
  working = await openWorking();
});
afterAll(() => working.close());

const NEVER = new AbortController().signal;
const lines = (first: string, last: string) => [first, ...'bcdefghi', last, ''].join('\n');

const told = (issue: string, mode: 'test' | 'review' | 'merge') =>
  describeSinceLastLook(working.world, { issue, mode }, NEVER);

/** A pull request that was tested and reviewed. */
async function reviewed(): Promise<{ issue: string; head: string }> {
  const issue = await working.issue('Needs Review');
  const head = await working.commitToBranch(issue, { 'lines.txt': lines('ours', 'j') });
  const implementer = await working.dispatch(issue, 'implement');
  await working.say(implementer, 'pr_open', { title: 'Work', body: `Closes ${issue}` });
  expect(await told(issue, 'review'), 'before any look').toBeUndefined();
  const reviewer = await working.dispatch(issue, 'review');
  await working.say(reviewer, 'review', { verdict: 'approve', text: 'Good.' });
  await working.world.ledger.append([
    {
      type: 'evidence.recorded',
      issue,
      kind: 'test',
      revision: 1,
      sha: head,
      verdict: 'passed',
      by: 'test',
      suites: ['unit'],
      detail: '',
    },
  ]);
  expect(await told(issue, 'review'), 'at the commit of the last look').toBeUndefined();
  return { issue, head };
}

test('a later commit is told with its files, and as the range to read', async () => {
  const { issue, head } = await reviewed();
  const next = await working.commitToBranch(issue, { 'more.txt': 'more\n' });
  expect(await told(issue, 'review')).toBe(
    `You reviewed this pull request at ${head}. Since then its own work changed in more.txt. Read only that difference: \`git diff ${head} ${next} -- 'more.txt'\`.`,
  );
  expect(await told(issue, 'test')).toContain(`The tests passed at ${head}.`);
  expect(await told(issue, 'merge')).toBeUndefined();
});

test('after a rebase the files that overlap are told, and what the base brought into them is read', async () => {
  await working.commitToBranch('main', { 'lines.txt': lines('a', 'j') });
  const { issue } = await reviewed();
  await working.commitToBranch('main', { 'lines.txt': lines('a', 'theirs') });
  const workspace = await working.workspace(issue);
  await git(workspace, 'rebase', '--quiet', 'main');
  const words = await told(issue, 'review');
  expect(words).toContain('the base brought changes into lines.txt, which it changes as well');
  const [, command = ''] = /`git (diff [^`]+)`/.exec(words ?? '') ?? [];
  expect(await git(workspace, ...command.replaceAll("'", '').split(' '))).toContain('+theirs');
});
