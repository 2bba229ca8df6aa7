/** Tests the wake-ups and notices for Linear's events. */
import { expect, test } from 'vitest';
import type { LinearOwnAccount } from '../../../../src/integrations/linear/webhooks/mention.ts';
import { readEvent } from '../../../../src/integrations/linear/webhooks/open-linear-receiver.ts';
import { MAX_MENTION_CHARACTERS } from '../../../../src/integrations/webhook-support/mentions.ts';
import { COMMENT, commentSaid, ISSUE, ISSUE_SAID, OTHER_ISSUE, said, USER } from './delivering.ts';

const READER: LinearOwnAccount = { names: ['Legion Bot', 'ada'], isOwn: () => false };
const WHOLE = ['everything'];
const looks = (...issues: string[]) => issues.map((tracked) => ({ tracked }));

function found(body: object, reader = READER) {
  const read = readEvent(body, reader);
  if (!read.ok) throw new Error(read.fault.message);
  return read.value;
}

test.each<[string, object, unknown]>([
  ['an issue', ISSUE_SAID, looks(ISSUE)],
  ['a new issue', { ...ISSUE_SAID, action: 'create' }, looks(ISSUE)],
  ['a removed issue', { ...ISSUE_SAID, action: 'remove' }, looks(ISSUE)],
  ['a comment', commentSaid('Hello'), looks(ISSUE)],
  ['a comment with only its issue’s id', commentSaid('Hello', { issue: undefined }), looks(ISSUE)],
  ['a removed comment', commentSaid('Hello', {}, { action: 'remove' }), looks(ISSUE)],
  ['an attachment', said('Attachment', { id: USER, issueId: ISSUE, url: 'x' }), looks(ISSUE)],
  [
    'a moved attachment',
    said('Attachment', { issueId: ISSUE, originalIssueId: OTHER_ISSUE }),
    looks(ISSUE, OTHER_ISSUE),
  ],
  [
    'a relation',
    said('IssueRelation', { issueId: ISSUE, relatedIssueId: OTHER_ISSUE, type: 'blocks' }),
    looks(ISSUE, OTHER_ISSUE),
  ],
  ['a renamed label', said('IssueLabel', { name: 'a' }), WHOLE],
  ['a removed label', said('IssueLabel', { name: 'a' }, { action: 'remove' }), WHOLE],
  ['a state', said('WorkflowState', { name: 'a' }, { action: 'create' }), WHOLE],
  ['a team', said('Team', { key: 'ENG' }), WHOLE],
  ['a renamed project', said('Project', {}, { updatedFrom: { name: 'Old' } }), WHOLE],
  ['a removed project', said('Project', {}, { action: 'remove' }), WHOLE],
  ['changed permissions', said('PermissionChange', {}), WHOLE],
  ['an unknown type', said('Sticker', { id: USER }), WHOLE],
  ['an unknown type with an issue', said('Sticker', { issueId: ISSUE }), looks(ISSUE)],
  ['a type named like a JavaScript property', said('constructor', {}), WHOLE],
])('wakes the right issues for %s', (_, body, wake) => {
  expect(found(body)?.wake).toEqual(wake);
});

test.each<[string, object]>([
  ['a new label', said('IssueLabel', { name: 'a' }, { action: 'create' })],
  ['a comment on a project', commentSaid('Hello', { issueId: null, issue: null, projectId: USER })],
  ['progress in a project', said('Project', {}, { updatedFrom: { progress: 1 } })],
  ['a new project', said('Project', {}, { action: 'create' })],
  ['a reaction', said('Reaction', { emoji: '+1', commentId: COMMENT })],
  ['a cycle', said('Cycle', {})],
])('ignores %s', (_, body) => {
  expect(found(body)).toBeUndefined();
});

test.each<[string, unknown, string]>([
  ['an issue without an id', said('Issue', { identifier: 'ENG-1' }), 'body.data.id: is missing'],
  ['an invalid id', said('Issue', { id: 'everything', identifier: 'ENG-1' }), 'body.data.id: '],
  ['no data', said('Attachment', [] as object), 'body.data: expected object, got array of length 0'],
  ['no type', { action: 'create', data: {} }, 'body.type: is missing'],
])('rejects a malformed body with the path of the error (%s)', (_, body, place) => {
  const read = readEvent(body, READER);
  expect(read).toMatchObject({ ok: false, fault: { message: expect.stringContaining(place) } });
});

test('publishes notices that contain neither titles nor texts', () => {
  expect(found(ISSUE_SAID)?.notices).toEqual([
    {
      topic: 'notifications.linear.eng.21',
      notice: {
        text: 'ENG-21: issue update',
        data: {
          issue: 'ENG-21',
          kind: 'issue',
          action: 'update',
          by: 'Ada',
          url: 'https://linear.app/acme/issue/ENG-21/a-door',
        },
      },
    },
  ]);
  expect(found(commentSaid('Hello'))?.notices).toMatchObject([
    { topic: 'notifications.linear.eng.21.comment', notice: { text: 'ENG-21: comment create' } },
  ]);
});

function mention(...given: Parameters<typeof commentSaid>) {
  return found(commentSaid(...given))?.notices.find(({ topic }) => topic.endsWith('.mention'));
}

test('reports a mention with author, location and text', () => {
  expect(mention('@legion please look')).toEqual({
    topic: 'notifications.linear.eng.21.mention',
    notice: {
      text: 'Ada mentioned Legion in ENG-21',
      data: {
        issue: 'ENG-21',
        by: 'Ada',
        user: USER,
        mayWrite: 'yes',
        comment: COMMENT,
        url: 'https://linear.app/acme/issue/ENG-21/a-door',
        text: '@legion please look',
      },
    },
  });
});

test.each([
  'Dear @Legion, hello',
  'hello @legion bot!',
  '@ada: what now?',
  'https://linear.app/acme/profiles/ada what now?',
  '[Legion](https://linear.app/acme/profiles/Legion%20Bot) look',
])('recognizes a mention in %j', (text) => {
  expect(mention(text)).toBeDefined();
});

test.each([
  'legion',
  'mail@legion',
  '@legionnaire',
  '`@legion`',
  '> @legion do it',
  'https://linear.app/acme/profiles/adam',
  'https://linear.app/acme/profiles/%',
  '',
])('recognizes no mention in %j', (text) => {
  expect(mention(text)).toBeUndefined();
});

test.each<[string, object, object?]>([
  ['a person outside the workspace', { user: null, externalUser: { id: USER, name: 'Eve' } }],
  ['a bot', { user: null, botActor: '{"type":"slack"}' }],
  ['an unknown author', { user: undefined }],
  ['an author who only edits a comment', {}, { action: 'update' }],
])('ignores a mention by %s', (_, data, more) => {
  expect(mention('@legion do it', data, more)).toBeUndefined();
});

test('ignores mentions that Legion wrote itself', () => {
  const isOwn = (comment: string): boolean => comment === COMMENT;
  const notices = found(commentSaid('@legion'), { ...READER, isOwn })?.notices ?? [];
  expect(notices.map(({ topic }) => topic)).toEqual(['notifications.linear.eng.21.comment']);
});

test('truncates a long comment, and publishes no notice for an issue without a number', () => {
  const long = mention(`@legion ${'x'.repeat(3 * MAX_MENTION_CHARACTERS)}`);
  expect(`${Object.assign({ text: '' }, long?.notice.data).text}`).toHaveLength(MAX_MENTION_CHARACTERS + 1);
  expect(found(commentSaid('@legion', { issue: undefined }))?.notices).toEqual([]);
});
