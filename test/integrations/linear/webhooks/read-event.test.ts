/** What each of Linear's events leads to. */
import { expect, test } from 'vitest';
import type { Reader } from '../../../../src/envoy/linear/mention.ts';
import { readEvent } from '../../../../src/envoy/linear/read-event.ts';
import { MENTION_MOST_CHARACTERS } from '../../../../src/envoy/mentions.ts';
import { COMMENT, commentSaid, ISSUE, ISSUE_SAID, OTHER_ISSUE, said, USER } from './delivering.ts';

const READER: Reader = { names: ['Legion Bot', 'ada'], isOwn: () => false };
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
  ['an issue that is gone', { ...ISSUE_SAID, action: 'remove' }, looks(ISSUE)],
  ['a comment', commentSaid('Hello'), looks(ISSUE)],
  ['a comment whose issue is only named', commentSaid('Hello', { issue: undefined }), looks(ISSUE)],
  ['a comment that is gone', commentSaid('Hello', {}, { action: 'remove' }), looks(ISSUE)],
  ['an attachment', said('Attachment', { id: USER, issueId: ISSUE, url: 'x' }), looks(ISSUE)],
  [
    'an attachment that was moved',
    said('Attachment', { issueId: ISSUE, originalIssueId: OTHER_ISSUE }),
    looks(ISSUE, OTHER_ISSUE),
  ],
  [
    'a relation',
    said('IssueRelation', { issueId: ISSUE, relatedIssueId: OTHER_ISSUE, type: 'blocks' }),
    looks(ISSUE, OTHER_ISSUE),
  ],
  ['a label that is renamed', said('IssueLabel', { name: 'a' }), WHOLE],
  ['a label that is gone', said('IssueLabel', { name: 'a' }, { action: 'remove' }), WHOLE],
  ['a state', said('WorkflowState', { name: 'a' }, { action: 'create' }), WHOLE],
  ['a team', said('Team', { key: 'ENG' }), WHOLE],
  ['a project that is renamed', said('Project', {}, { updatedFrom: { name: 'Old' } }), WHOLE],
  ['a project that is gone', said('Project', {}, { action: 'remove' }), WHOLE],
  ['other rights', said('PermissionChange', {}), WHOLE],
  ['a type of tomorrow', said('Sticker', { id: USER }), WHOLE],
  ['a type of tomorrow at an issue', said('Sticker', { issueId: ISSUE }), looks(ISSUE)],
  ['a type with a name of JavaScript’s', said('constructor', {}), WHOLE],
])('%s is looked at', (_, body, wake) => {
  expect(found(body)?.wake).toEqual(wake);
});

test.each<[string, object]>([
  ['a new label', said('IssueLabel', { name: 'a' }, { action: 'create' })],
  ['a comment on a project', commentSaid('Hello', { issueId: null, issue: null, projectId: USER })],
  ['progress of a project', said('Project', {}, { updatedFrom: { progress: 1 } })],
  ['a new project', said('Project', {}, { action: 'create' })],
  ['a reaction', said('Reaction', { emoji: '+1', commentId: COMMENT })],
  ['a cycle', said('Cycle', {})],
])('%s means nothing to Legion', (_, body) => {
  expect(found(body)).toBeUndefined();
});

test.each<[string, unknown, string]>([
  ['an issue without an id', said('Issue', { identifier: 'ENG-1' }), 'body.data.id: is missing'],
  ['an id that is none', said('Issue', { id: 'everything', identifier: 'ENG-1' }), 'body.data.id: '],
  ['no data', said('Attachment', [] as object), 'body.data: expected object, got array of length 0'],
  ['no type', { action: 'create', data: {} }, 'body.type: is missing'],
])('%s cannot be read, and it is said where', (_, body, place) => {
  const read = readEvent(body, READER);
  expect(read).toMatchObject({ ok: false, fault: { message: expect.stringContaining(place) } });
});

test('what happened is told without titles and texts', () => {
  expect(found(ISSUE_SAID)?.notices).toEqual([
    {
      topic: 'notifications.linear.eng.21',
      notice: {
        text: 'ENG-21: issue update',
        data: {
          ...{ issue: 'ENG-21', kind: 'issue', action: 'update', by: 'Ada' },
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

test('a comment to Legion is told with who, where and what', () => {
  expect(mention('@legion please look')).toEqual({
    topic: 'notifications.linear.eng.21.mention',
    notice: {
      text: 'Ada speaks to Legion at ENG-21',
      data: {
        ...{ issue: 'ENG-21', by: 'Ada', user: USER, mayWrite: 'yes', comment: COMMENT },
        ...{ url: 'https://linear.app/acme/issue/ENG-21/a-door', text: '@legion please look' },
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
])('%j speaks to Legion', (text) => {
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
])('%j does not', (text) => {
  expect(mention(text)).toBeUndefined();
});

test.each<[string, object, object?]>([
  ['somebody outside the workspace', { user: null, externalUser: { id: USER, name: 'Eve' } }],
  ['a bot', { user: null, botActor: '{"type":"slack"}' }],
  ['nobody', { user: undefined }],
  ['who only edits what was said', {}, { action: 'update' }],
])('%s does not speak to Legion', (_, data, more) => {
  expect(mention('@legion do it', data, more)).toBeUndefined();
});

test('what Legion itself wrote is not told as a word to it', () => {
  const isOwn = (comment: string): boolean => comment === COMMENT;
  const notices = found(commentSaid('@legion'), { ...READER, isOwn })?.notices ?? [];
  expect(notices.map(({ topic }) => topic)).toEqual(['notifications.linear.eng.21.comment']);
});

test('a long comment is cut, and an issue whose number nobody knows has no topic', () => {
  const long = mention(`@legion ${'x'.repeat(3 * MENTION_MOST_CHARACTERS)}`);
  expect(`${Object.assign({ text: '' }, long?.notice.data).text}`).toHaveLength(MENTION_MOST_CHARACTERS + 1);
  expect(found(commentSaid('@legion', { issue: undefined }))?.notices).toEqual([]);
});
