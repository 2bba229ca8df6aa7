/** Tests that mentions of Legion are detected, and whether their authors have write access. */
import { expect, test } from 'vitest';
import { readEvent } from '../../../../src/integrations/github/webhooks/read-event.ts';
import { MAX_MENTION_CHARACTERS } from '../../../../src/integrations/webhook-support/mentions.ts';
import { altered, exampleOf } from './examples.ts';

const ACCOUNTS = ['Legion-Impl[bot]', 'ada'];
const TOPIC = 'notifications.github.codertocat.hello-world.mention';

function commented(body: string, values: Readonly<Record<string, unknown>> = {}, event = 'issue_comment') {
  const at = event === 'pull_request_review' ? 'review' : 'comment';
  const action = event === 'pull_request_review' ? 'submitted' : 'created';
  const given = altered(exampleOf(event, action), { [`${at}.body`]: body, ...values });
  return readEvent(event, given, ACCOUNTS);
}
function mention(...given: Parameters<typeof commented>) {
  return commented(...given)?.notices.find(({ topic }) => topic === TOPIC)?.notice;
}

test('reports a mention with author, location and text, and wakes the issue', () => {
  const findings = commented('@legion please look');
  expect(findings?.wake).toEqual([{ issue: { owner: 'Codertocat', repo: 'Hello-World', number: 1 } }]);
  expect(mention('@legion please look')).toEqual({
    text: 'Codertocat mentioned Legion in Codertocat/Hello-World#1',
    data: {
      repository: 'Codertocat/Hello-World',
      number: 1,
      kind: 'issue',
      by: 'Codertocat',
      mayWrite: 'yes',
      comment: 492700400,
      url: 'https://github.com/Codertocat/Hello-World/issues/1#issuecomment-492700400',
      text: '@legion please look',
    },
  });
});

test.each([
  '@legion',
  'Dear @Legion, hello',
  '(@LEGION)',
  'thanks @legion.',
  'hello @legion-impl!',
  '@ada: what now?',
  'a\n\n@legion\n',
  '@somebody and @legion',
])('recognizes a mention in %j', (text) => {
  expect(mention(text)).toBeDefined();
});

test.each([
  'legion',
  'me@legion.dev',
  'mail@legion',
  '@legionnaire',
  '@legion-web',
  '@legion/reviewers',
  '@legion_x',
  '@legion.dev',
  'https://example.com/@legion',
  '@@legion',
  '`@legion`',
  '> @legion do it',
  '```\n@legion\n```',
  '<!-- @legion -->',
])('recognizes no mention in %j', (text) => {
  expect(mention(text)).toBeUndefined();
});

test.each([
  ['OWNER', 'yes'],
  ['MEMBER', 'perhaps'],
  ['COLLABORATOR', 'perhaps'],
  ['CONTRIBUTOR', undefined],
  ['FIRST_TIME_CONTRIBUTOR', undefined],
  ['FIRST_TIMER', undefined],
  ['MANNEQUIN', undefined],
  ['NONE', undefined],
  ['toString', undefined],
  [null, undefined],
])('reports write access for the author association %s as %s', (association, mayWrite) => {
  const notice = mention('@legion', { 'comment.author_association': association });
  const { mayWrite: known } = notice?.data ?? {};
  expect(known).toBe(mayWrite);
});

test('ignores Legion’s own comments, but not comments of the person whose token Legion uses', () => {
  const own = { 'comment.user.login': 'ada' };
  expect(mention('@legion done\n\n<!-- legion:done-1 -->', own)).toBeUndefined();
  expect(mention('@legion done', own)).toBeDefined();
  expect(mention('@legion <!-- legion:x -->')).toBeDefined();
  expect(mention('@legion', { 'comment.user': null })).toBeUndefined();
});

test('recognizes a mention only in a new comment, not in an edited or deleted one', () => {
  expect(mention('@legion', { action: 'edited' })).toBeUndefined();
  expect(mention('@legion', { action: 'deleted' })).toBeUndefined();
});

test.each(['pull_request_review', 'pull_request_review_comment'])('recognizes a mention in a %s', (event) => {
  expect(mention('@legion why?', {}, event)?.data).toMatchObject({
    number: 2,
    kind: 'pull_request',
    text: '@legion why?',
  });
  expect(mention('why?', {}, event)).toBeUndefined();
});

test('truncates a long comment at a character boundary', () => {
  const { text: told } = mention(`@legion ${'😀'.repeat(MAX_MENTION_CHARACTERS)}`)?.data ?? {};
  const text = String(told);
  expect([...text]).toHaveLength(MAX_MENTION_CHARACTERS + 1);
  expect(text.isWellFormed()).toBe(true);
});
