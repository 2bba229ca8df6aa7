/**
 * Tests data that GitHub refuses to return: the issue concerned reports it, and other issues are
 * unaffected.
 */
import { expect, test } from 'vitest';
import { GithubRefusal } from '../../../../simulators/github/model/fault.ts';
import type { GithubNode } from '../../../../simulators/github/model/nodes.ts';
import { SIGNAL } from '../../../ports/tracker/issues.ts';
import { REPO, WRITER } from './simulated.ts';
import { useSimulated } from './use-simulated.ts';

const SECRET = 'acme/secret';
const SETTLED_S = 60;
const MORE_THAN_REMEMBERED_S = 6 * 60;
const REFUSALS = {
  SAML: 'Resource protected by organization SAML enforcement. You must grant your Personal Access token access to this organization.',
  'an IP allow list':
    'Although you appear to have the correct authorization credentials, the `acme` organization has an IP allow list enabled, and your IP address is not permitted to access this resource.',
};

const stage = useSimulated();

const forbid = (message: string) => () => {
  throw new GithubRefusal('FORBIDDEN', message);
};
const isSecret = (node: GithubNode) => node.type === 'Repository' && node.name === 'secret';
const isIssue = (number: number) => (node: GithubNode) => node.type === 'Issue' && node.number === number;
const isItemOf = (number: number) => (node: GithubNode) =>
  node.type === 'ProjectV2Item' && isIssue(number)(node.content as GithubNode);

test.each(Object.entries(REFUSALS))(
  'blocks an issue whose blocker is hidden by %s until it becomes readable, and states the reason',
  async (_, message) => {
    const { github, pass, board, tracker } = stage();
    const { people, faults } = github;
    const project = board();
    await people.repository(SECRET);
    people.issue(SECRET, { author: WRITER, title: 'Secret' });
    const body = 'Blocked by acme/secret#1';
    people.issue(REPO, { author: WRITER, title: 'Waiting', body, project, status: 'Todo' });
    people.issue(REPO, { author: WRITER, title: 'Free', project, status: 'Todo' });
    pass(SETTLED_S);
    const end = faults.field(isSecret, 'issueOrPullRequest', forbid(message));
    const legion = await tracker([project]);
    for (const _look of [1, 2]) {
      const [waiting, free] = await legion.list(SIGNAL);
      expect(waiting).toMatchObject({ openBlockers: ['acme-secret-1'], problems: [{ holds: true }] });
      const text = waiting?.problems?.[0]?.text ?? '';
      expect(text).toContain(
        `Blocked by acme/secret#1, which Legion does not have permission to read: ${message.slice(0, 60)}`,
      );
      expect(text).toContain('Next step: give Legion’s account read access to acme/secret');
      expect(free).toMatchObject({ openBlockers: [] });
      expect(free).not.toHaveProperty('problems');
      expect(await legion.read('acme-app-1', SIGNAL)).toEqual(waiting);
    }
    end();
    pass(MORE_THAN_REMEMBERED_S);
    const [waiting] = await legion.list(SIGNAL);
    expect(waiting).toMatchObject({ openBlockers: ['acme-secret-1'] });
    expect(waiting).not.toHaveProperty('problems');
    people.closeIssue(WRITER, SECRET, 1);
    expect((await legion.list(SIGNAL))[0]).toMatchObject({ openBlockers: [] });
  },
);

test.each([
  ['Blocked by #9999999999', '#9999999999'],
  ['Blocked by #2147483648, #2', '#2147483648'],
  [`Depends on acme/app#${'9'.repeat(60)}`, `acme/app#${'9'.repeat(60)}`],
  [
    'Blocked by https://github.com/acme/app/issues/4294967297',
    'https://github.com/acme/app/issues/4294967297',
  ],
])('reports %j as a problem of the issue and sends no request with that number', async (body, written) => {
  const { github, board, tracker } = stage();
  const { people } = github;
  const project = board();
  people.issue(REPO, { author: WRITER, title: 'Odd', body, project, status: 'Todo' });
  people.issue(REPO, { author: WRITER, title: 'Blocker', project, status: 'Todo' });
  people.issue(REPO, { author: WRITER, title: 'Waiting', body: 'Blocked by #2', project, status: 'Todo' });
  const legion = await tracker([project]);
  const [odd, , waiting] = await legion.list(SIGNAL);
  expect(odd?.problems).toEqual([{ text: expect.stringContaining(written.slice(0, 70)), holds: false }]);
  expect(odd?.openBlockers).toEqual(body.endsWith('#2') ? ['acme-app-2'] : []);
  expect(waiting).toMatchObject({ openBlockers: ['acme-app-2'] });
  expect(await legion.read('acme-app-1', SIGNAL)).toEqual(odd);
});

test('the simulated GitHub refuses a whole request that contains a number beyond 32 bits', async () => {
  const { client } = stage();
  const document =
    'query Q($n: Int!) { viewer { login } repository(owner: "acme", name: "app") { issueOrPullRequest(number: $n) { __typename } } }';
  const asked = client().query(document, { n: 9_999_999_999 }, { signal: SIGNAL });
  await expect(asked).rejects.toMatchObject({ code: 'github.refused' });
  await expect(asked).rejects.toThrow('Variable $n of type Int! was provided invalid value');
});

test('isolates a refused item by halving its batch repeatedly, with few requests', async () => {
  const { github, board, tracker, asked } = stage();
  const { people, faults } = github;
  const project = board();
  await people.repository('acme/lib');
  for (let number = 1; number <= 40; number += 1) {
    people.issue('acme/lib', { author: WRITER, title: `Blocker ${number}` });
    const body = `Blocked by acme/lib#${number}`;
    people.issue(REPO, { author: WRITER, title: `Issue ${number}`, body, project, status: 'Todo' });
  }
  faults.refuse(({ name, variables }) =>
    name === 'StatesOf' &&
    Object.entries(variables).some(([key, value]) => /^number/.test(key) && value === 23)
      ? 'Something about this one is wrong'
      : undefined,
  );
  const legion = await tracker([project]);
  asked();
  const issues = await legion.list(SIGNAL);
  expect(issues).toHaveLength(40);
  for (const [index, { openBlockers, problems }] of issues.entries()) {
    expect(openBlockers).toEqual([`acme-lib-${index + 1}`]);
    expect(problems?.length ?? 0).toBe(index + 1 === 23 ? 1 : 0);
  }
  expect(asked().filter((name) => name === 'StatesOf').length).toBeLessThanOrEqual(13);
});

test('limits the number of requests if every item is refused, and states the reason on each issue', async () => {
  const { github, board, tracker, asked } = stage();
  const { people, faults } = github;
  const project = board();
  const body = 'Blocked by acme/lib#1, acme/lib#2, acme/lib#3';
  for (let number = 1; number <= 60; number += 1) {
    const named = body.replaceAll('lib', `lib${number}`);
    people.issue(REPO, { author: WRITER, title: `Issue ${number}`, body: named, project, status: 'Todo' });
  }
  faults.refuse(({ name }) => (name === 'StatesOf' ? 'Not today' : undefined));
  const legion = await tracker([project]);
  asked();
  const issues = await legion.list(SIGNAL);
  expect(issues.every(({ problems = [] }) => problems.length === 3)).toBe(true);
  expect(asked().filter((name) => name === 'StatesOf').length).toBeLessThan(40);
});

test('keeps the last state of an issue that became unreadable and starts no work on it, while other issues still change', async () => {
  const { github, pass, board, tracker } = stage();
  const { people, faults } = github;
  const project = board();
  people.issue(REPO, { author: WRITER, title: 'Hidden', project, status: 'Todo' });
  people.issue(REPO, { author: WRITER, title: 'Seen', project, status: 'Todo' });
  pass(SETTLED_S);
  const legion = await tracker([project]);
  const [before] = await legion.list(SIGNAL);
  pass(SETTLED_S);
  people.editIssue(WRITER, REPO, 1, { title: 'Changed meanwhile' });
  people.editIssue(WRITER, REPO, 2, { title: 'Seen again' });
  const ends = [
    faults.field(isItemOf(1), 'content', forbid(REFUSALS.SAML)),
    faults.field(isIssue(1), 'title', forbid(REFUSALS.SAML)),
  ];
  const issues = await legion.list(SIGNAL);
  const hidden = issues.find(({ id }) => id === 'acme-app-1');
  const seen = issues.find(({ id }) => id === 'acme-app-2');
  expect(hidden).toMatchObject({ ...before, problems: [{ holds: true }] });
  expect(hidden?.problems?.[0]?.text).toContain('SAML enforcement');
  expect(seen?.title).toBe('Seen again');
  expect(await legion.read('acme-app-1', SIGNAL)).toEqual(hidden);
  for (const end of ends) end();
  expect((await legion.list(SIGNAL))[0]?.title).toBe('Changed meanwhile');
});

test('reports an issue that was never readable and lists the others', async () => {
  const { github, board, tracker } = stage();
  const { people, faults } = github;
  const project = board();
  people.issue(REPO, { author: WRITER, title: 'Hidden', project, status: 'Todo' });
  people.issue(REPO, { author: WRITER, title: 'Seen', project, status: 'Todo' });
  faults.field(isIssue(1), 'labels', forbid(REFUSALS.SAML));
  const legion = await tracker([project]);
  expect((await legion.list(SIGNAL)).map(({ id }) => id)).toEqual(['acme-app-2']);
  expect(legion.problems()).toEqual([expect.stringMatching(/^1 item of the boards cannot be read: .*SAML/)]);
});

test('does not treat an author as a writer if GitHub refuses to return permissions, and still lists every issue', async () => {
  const { github, board, tracker } = stage();
  const { people, faults } = github;
  const project = board();
  people.issue(REPO, { author: WRITER, title: 'By a member', project, status: 'Todo' });
  faults.refuse(({ name }) => (name === 'PermissionsOf' ? 'Not for you' : undefined));
  const [issue] = await (await tracker([project])).list(SIGNAL);
  expect(issue?.writtenBy).toEqual({ name: WRITER, mayWrite: false });
});

test('if GitHub repeatedly fails to return one issue, fails only one pass and then lists the others', async () => {
  const { github, pass, board, tracker } = stage();
  const { people, faults } = github;
  const project = board();
  for (const title of ['First', 'Broken', 'Third'])
    people.issue(REPO, { author: WRITER, title, project, status: 'Todo' });
  pass(SETTLED_S);
  const legion = await tracker([project]);
  const [first, broken, third] = await legion.list(SIGNAL);
  const end = faults.field(isIssue(2), 'title', () => {
    throw new GithubRefusal('SERVICE_UNAVAILABLE', 'Something went wrong.');
  });
  people.editIssue(WRITER, REPO, 2, { body: 'Changed' });
  people.editIssue(WRITER, REPO, 3, { body: 'Changed' });
  await expect(legion.list(SIGNAL)).rejects.toMatchObject({ code: 'github.unavailable' });
  for (const _look of [1, 2]) {
    pass(SETTLED_S);
    const issues = await legion.list(SIGNAL);
    expect(issues.map(({ id }) => id)).toEqual([first?.id, broken?.id, third?.id]);
    expect(issues[1]).toMatchObject({ title: 'Broken', body: broken?.body });
    expect(issues[1]?.problems).toEqual([
      { text: expect.stringContaining('GitHub cannot return this issue'), holds: true },
    ]);
    expect(issues[2]).toMatchObject({ body: 'Changed' });
    expect(issues[2]).not.toHaveProperty('problems');
  }
  // A tracker that has never read the issue fails its first pass. A later pass lists the other two
  // issues.
  const other = await tracker([project]);
  await expect(other.list(SIGNAL)).rejects.toMatchObject({ code: 'github.unavailable' });
  await other.list(SIGNAL).catch(() => undefined);
  expect((await other.list(SIGNAL)).map(({ title }) => title)).toEqual(['First', 'Third']);
  expect(other.problems()).toEqual([expect.stringContaining('1 item of the boards cannot be read')]);
  end();
  pass(SETTLED_S);
  expect((await legion.list(SIGNAL))[1]).toMatchObject({ body: 'Changed' });
  expect((await legion.list(SIGNAL))[1]).not.toHaveProperty('problems');
});

test('if a digest lacks the content of an item, keeps the last state of the item and states the reason', async () => {
  const { github, pass, board, tracker } = stage();
  const project = board();
  for (const title of ['First', 'Broken'])
    github.people.issue(REPO, { author: WRITER, title, project, status: 'Todo' });
  pass(SETTLED_S);
  const legion = await tracker([project]);
  await legion.list(SIGNAL);
  const end = github.faults.field(isItemOf(2), 'content', () => {
    throw new GithubRefusal('SERVICE_UNAVAILABLE', 'Something went wrong.');
  });
  const issues = await legion.list(SIGNAL);
  expect(issues.map(({ problems = [] }) => problems.length)).toEqual([0, 1]);
  end();
  expect((await legion.list(SIGNAL)).map(({ problems = [] }) => problems.length)).toEqual([0, 0]);
});

test('fails the pass if many items are unavailable, because then GitHub itself is unavailable', async () => {
  const { github, pass, board, tracker } = stage();
  const project = board();
  for (let count = 0; count < 12; count += 1)
    github.people.issue(REPO, { author: WRITER, title: `Issue ${count}`, project, status: 'Todo' });
  pass(SETTLED_S);
  const legion = await tracker([project]);
  github.faults.field(
    (node) => node.type === 'Issue',
    'title',
    () => {
      throw new GithubRefusal('SERVICE_UNAVAILABLE', 'Something went wrong.');
    },
  );
  for (const _look of [1, 2, 3, 4])
    await expect(legion.list(SIGNAL)).rejects.toMatchObject({ code: 'github.unavailable' });
});
