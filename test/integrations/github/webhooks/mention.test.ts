/** Who speaks to Legion, and may. */
import { expect, test } from 'vitest';
import { MENTION_MOST_CHARACTERS } from '../../../../src/envoy/mentions.ts';
import { readEvent } from '../../../../src/integrations/github/webhooks/read-event.ts';
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

test('a comment to Legion is told with who, where and what, and wakes the issue', () => {
  const findings = commented('@legion please look');
  expect(findings?.wake).toEqual([{ issue: { owner: 'Codertocat', repo: 'Hello-World', number: 1 } }]);
  expect(mention('@legion please look')).toEqual({
    text: 'Codertocat speaks to Legion at Codertocat/Hello-World#1',
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
])('%j speaks to Legion', (text) => {
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
])('%j does not', (text) => {
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
])('of %s it is known: may write %s', (association, mayWrite) => {
  const notice = mention('@legion', { 'comment.author_association': association });
  const { mayWrite: known } = notice?.data ?? {};
  expect(known).toBe(mayWrite);
});

test('Legion does not speak to itself, but the person whose token it uses may', () => {
  const own = { 'comment.user.login': 'ada' };
  expect(mention('@legion done\n\n<!-- legion:done-1 -->', own)).toBeUndefined();
  expect(mention('@legion done', own)).toBeDefined();
  expect(mention('@legion <!-- legion:x -->')).toBeDefined();
  expect(mention('@legion', { 'comment.user': null })).toBeUndefined();
});

test('only a new comment speaks; one that is edited or deleted does not speak again', () => {
  expect(mention('@legion', { action: 'edited' })).toBeUndefined();
  expect(mention('@legion', { action: 'deleted' })).toBeUndefined();
});

test.each(['pull_request_review', 'pull_request_review_comment'])('a %s may speak to Legion too', (event) => {
  expect(mention('@legion why?', {}, event)?.data).toMatchObject({
    number: 2,
    kind: 'pull_request',
    text: '@legion why?',
  });
  expect(mention('why?', {}, event)).toBeUndefined();
});

test('a long comment is cut, between characters', () => {
  const { text: told } = mention(`@legion ${'😀'.repeat(MENTION_MOST_CHARACTERS)}`)?.data ?? {};
  const text = String(told);
  expect([...text]).toHaveLength(MENTION_MOST_CHARACTERS + 1);
  expect(text.isWellFormed()).toBe(true);
});
