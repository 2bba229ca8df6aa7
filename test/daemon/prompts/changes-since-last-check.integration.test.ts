import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeChangesSinceLastCheck } from '../../../src/daemon/prompts/describe-changes.ts';
import { git } from '../../ports/forge/git.ts';
import { openWorking, type Working } from '../worker-api/working.ts';

let working: Working;
beforeAll(async () => {
  working = await openWorking();
});
afterAll(() => working.close());

const NEVER = new AbortController().signal;
const lines = (first: string, last: string) => [first, ...'bcdefghi', last, ''].join('\n');

const describe = (issue: string, mode: 'test' | 'review' | 'merge') =>
  describeChangesSinceLastCheck(working.world, { issue, mode }, NEVER);

/** Creates an issue whose pull request was tested and reviewed. */
async function reviewed(): Promise<{ issue: string; head: string }> {
  const issue = await working.issue('Needs Review');
  const head = await working.commitToBranch(issue, { 'lines.txt': lines('ours', 'j') });
  const implementer = await working.dispatch(issue, 'implement');
  await working.say(implementer, 'pr_open', { title: 'Work', body: `Closes ${issue}` });
  expect(await describe(issue, 'review'), 'before any review').toBeUndefined();
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
  expect(await describe(issue, 'review'), 'at the commit of the last review').toBeUndefined();
  return { issue, head };
}

test('lists the files of a later commit and the commit range to read', async () => {
  const { issue, head } = await reviewed();
  const next = await working.commitToBranch(issue, { 'more.txt': 'more\n' });
  expect(await describe(issue, 'review')).toBe(
    `You reviewed this pull request at ${head}. Since then, the branch changed more.txt. Read only this diff: \`git diff ${head} ${next} -- 'more.txt'\`.`,
  );
  expect(await describe(issue, 'test')).toContain(`The tests passed at ${head}.`);
  expect(await describe(issue, 'merge')).toBeUndefined();
});

test('after a rebase, lists the files that both the branch and the base changed, and gives a command that shows how the base changed them', async () => {
  await working.commitToBranch('main', { 'lines.txt': lines('a', 'j') });
  const { issue } = await reviewed();
  await working.commitToBranch('main', { 'lines.txt': lines('a', 'theirs') });
  const workspace = await working.workspace(issue);
  await git(workspace, 'rebase', '--quiet', 'main');
  const words = await describe(issue, 'review');
  expect(words).toContain('the base changed lines.txt, which the branch also changes');
  const [, command = ''] = /`git (diff [^`]+)`/.exec(words ?? '') ?? [];
  expect(await git(workspace, ...command.replaceAll("'", '').split(' '))).toContain('+theirs');
});
