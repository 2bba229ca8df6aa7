/**
 * Checks that lists behave as on Linear: newest first, paged, filtered, and without archived issues
 * by default.
 */
import { afterEach, expect, test } from 'vitest';
import { closeStages, type Stage, stage, standingClock } from './simulated-linear.ts';

afterEach(closeStages);

/** Returns the identifiers of the issues that match the filter. */
async function found({ ask }: Stage, filter: object, more = ''): Promise<string[]> {
  const { data, errors } = await ask(
    `query($filter: IssueFilter) { issues(filter: $filter ${more}) { nodes { identifier } } }`,
    { filter },
  );
  expect(errors).toEqual([]);
  return data.issues.nodes.map(({ identifier }: { identifier: string }) => identifier);
}

test('the newest issues come first, by creation or update time', async () => {
  const clock = standingClock();
  const it = await stage({ clock });
  for (const title of ['One', 'Two', 'Three']) {
    it.linear.people.issue('ENG', { creator: 'ada', title });
    clock.pass(1);
  }
  it.linear.people.edit('ada', 'ENG-1', { title: 'First' });
  expect(await found(it, {})).toEqual(['ENG-3', 'ENG-2', 'ENG-1']);
  expect(await found(it, {}, 'orderBy: updatedAt')).toEqual(['ENG-1', 'ENG-3', 'ENG-2']);
});

test('cursors keep working while entries are added to a list and removed from it', async () => {
  const it = await stage();
  for (let at = 1; at <= 7; at += 1) it.linear.people.issue('ENG', { creator: 'ada', title: `Issue ${at}` });
  const page = async (args: string) => {
    const { data } = await it.ask(`{ issues(${args}) {
      nodes { identifier } edges { cursor node { number } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    } }`);
    return data.issues;
  };
  const first = await page('first: 3');
  expect(first.nodes.map((each: { identifier: string }) => each.identifier)).toEqual([
    'ENG-7',
    'ENG-6',
    'ENG-5',
  ]);
  expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
  expect(first.edges[2].cursor).toBe(first.pageInfo.endCursor);
  it.linear.people.issue('ENG', { creator: 'ada', title: 'New' });
  it.linear.people.archive('ada', 'ENG-5');
  const second = await page(`first: 3, after: "${first.pageInfo.endCursor}"`);
  expect(second.edges.map((each: { node: { number: number } }) => each.node.number)).toEqual([4, 3, 2]);
  const back = await page(`last: 2, before: "${second.pageInfo.startCursor}"`);
  expect(back.nodes).toEqual([{ identifier: 'ENG-7' }, { identifier: 'ENG-6' }]);
  const last = await page(`first: 3, after: "${second.pageInfo.endCursor}"`);
  expect([last.nodes.length, last.pageInfo.hasNextPage]).toEqual([1, false]);
  expect(await it.refusal('{ issues(after: "nowhere") { nodes { id } } }')).toMatchObject({
    extensions: { type: 'invalid input' },
  });
});

test('issues are filtered by their own fields and by related nodes', async () => {
  const clock = standingClock();
  const it = await stage({ clock });
  const { people } = it.linear;
  const ops = people.team({ key: 'OPS', name: 'Operations' });
  people.project('Alpha', ['ENG']);
  people.issue('ENG', { creator: 'ada', title: 'One', labels: ['bug', 'big'], state: 'Todo', priority: 1 });
  clock.pass(1000);
  people.issue('ENG', { creator: 'bob', title: 'Two', labels: ['bug'], state: 'Done', project: 'Alpha' });
  clock.pass(1000);
  people.issue('OPS', { external: 'Eve', title: 'Three', description: 'Long' });
  people.assign('ada', 'ENG-1', 'bob');
  people.block('ENG-1', 'OPS-1');
  people.comment('ada', 'OPS-1', 'hello');
  const { data } = await it.ask('{ issue(id: "ENG-2") { id } }');
  const cases: [object, string[]][] = [
    [{ id: { eq: data.issue.id } }, ['ENG-2']],
    [{ id: { in: [data.issue.id, 'OPS-1'] } }, ['OPS-1', 'ENG-2']],
    [{ id: { neq: data.issue.id } }, ['OPS-1', 'ENG-1']],
    [{ id: { nin: ['ENG-1', 'ENG-2'] } }, ['OPS-1']],
    [{ team: { id: { eq: ops } } }, ['OPS-1']],
    [{ team: { id: { neq: ops } }, number: { in: [1, 2] } }, ['ENG-2', 'ENG-1']],
    [{ team: { key: { eq: 'ENG' } }, number: { gt: 1 } }, ['ENG-2']],
    [{ state: { type: { nin: ['completed', 'canceled'] } } }, ['OPS-1', 'ENG-1']],
    [{ state: { name: { eqIgnoreCase: 'todo' } } }, ['ENG-1']],
    [{ updatedAt: { gte: '2026-01-01T00:00:01.000Z' } }, ['OPS-1', 'ENG-2', 'ENG-1']],
    [{ createdAt: { lt: '2026-01-01T00:00:01.000Z' } }, ['ENG-1']],
    [{ labels: { name: { eq: 'bug' } } }, ['ENG-2', 'ENG-1']],
    [{ labels: { some: { name: { eq: 'big' } } } }, ['ENG-1']],
    [{ labels: { every: { name: { eq: 'bug' } } }, team: { key: { eq: 'ENG' } } }, ['ENG-2']],
    [{ labels: { length: { eq: 0 } } }, ['OPS-1']],
    [{ labels: { and: [{ name: { eq: 'bug' } }, { name: { eq: 'big' } }] } }, ['ENG-1']],
    [{ assignee: { null: true } }, ['OPS-1', 'ENG-2']],
    [{ assignee: { name: { eq: 'bob' } } }, ['ENG-1']],
    [{ assignee: { or: [{ null: true }, { name: { eq: 'bob' } }] } }, ['OPS-1', 'ENG-2', 'ENG-1']],
    [{ creator: { isMe: { eq: true } } }, ['ENG-1']],
    [{ project: { name: { startsWith: 'Al' } } }, ['ENG-2']],
    [{ description: { null: false } }, ['OPS-1']],
    [{ completedAt: { null: false } }, ['ENG-2']],
    [{ priority: { lte: 1, neq: 0 } }, ['ENG-1']],
    [{ comments: { some: { body: { contains: 'ell' } } } }, ['OPS-1']],
    [{ hasBlockedByRelations: { eq: true } }, ['ENG-1']],
    [{ or: [{ title: { eq: 'One' } }, { title: { eq: 'Three' } }] }, ['OPS-1', 'ENG-1']],
    [{ and: [{ team: { key: { eq: 'ENG' } } }, { title: { containsIgnoreCase: 'TW' } }] }, ['ENG-2']],
  ];
  for (const [filter, identifiers] of cases) {
    expect(await found(it, filter), JSON.stringify(filter)).toEqual(identifiers);
  }
});

test('an issue is found by its UUID, its identifier and a previous identifier', async () => {
  const { ask, linear } = await stage();
  linear.people.team({ key: 'OPS', name: 'Operations' });
  linear.people.issue('ENG', { creator: 'ada', title: 'One', labels: ['bug'], state: 'In Progress' });
  const id = (await ask('{ issue(id: "eng-1") { id } }')).data.issue.id;
  expect(linear.people.moveToTeam('ada', 'ENG-1', 'OPS')).toBe('OPS-1');
  linear.people.issue('ENG', { creator: 'ada', title: 'Two' });
  for (const name of [id, 'OPS-1', 'ENG-1']) {
    const { data } = await ask(
      `{ issue(id: "${name}") { id identifier previousIdentifiers state { name team { key } } labels { nodes { name } } } }`,
    );
    expect(data.issue).toEqual({
      id,
      identifier: 'OPS-1',
      previousIdentifiers: ['ENG-1'],
      state: { name: 'In Progress', team: { key: 'OPS' } },
      labels: { nodes: [] },
    });
  }
  expect((await ask('{ issue(id: "ENG-2") { title } }')).data.issue.title).toBe('Two');
});

test('archived and trashed issues are listed only on request, but can always be found by identifier', async () => {
  const it = await stage();
  const { people } = it.linear;
  for (const title of ['One', 'Two', 'Three']) people.issue('ENG', { creator: 'ada', title });
  people.archive('ada', 'ENG-1');
  people.trash('ada', 'ENG-2');
  expect(await found(it, {})).toEqual(['ENG-3']);
  expect(await found(it, {}, 'includeArchived: true')).toEqual(['ENG-3', 'ENG-2', 'ENG-1']);
  const { data } = await it.ask(
    '{ one: issue(id: "ENG-1") { archivedAt trashed } two: issue(id: "ENG-2") { archivedAt trashed } }',
  );
  expect(data).toEqual({
    one: { archivedAt: expect.any(String), trashed: null },
    two: { archivedAt: expect.any(String), trashed: true },
  });
  people.unarchive('ada', 'ENG-2');
  people.delete('ENG-1');
  expect(await found(it, {}, 'includeArchived: true')).toEqual(['ENG-3', 'ENG-2']);
});

test('comments can be read by issue, by filter and one by one, and replies include their parent', async () => {
  const { ask, refusal, linear } = await stage();
  const { people } = linear;
  people.issue('ENG', { creator: 'ada', title: 'One' });
  people.issue('ENG', { creator: 'ada', title: 'Two' });
  const parent = people.comment('bob', 'ENG-1', 'What?');
  const reply = people.comment('ada', 'ENG-1', 'That.', parent);
  people.comment('ada', 'ENG-2', 'Elsewhere');
  const { data } = await ask(
    `query($filter: CommentFilter) { comments(filter: $filter) { nodes { id body parent { id } user { name } issue { identifier } } } }`,
    { filter: { issue: { team: { key: { eq: 'ENG' } }, number: { eq: 1 } } } },
  );
  expect(data.comments.nodes).toEqual([
    {
      id: reply,
      body: 'That.',
      parent: { id: parent },
      user: { name: 'ada' },
      issue: { identifier: 'ENG-1' },
    },
    { id: parent, body: 'What?', parent: null, user: { name: 'bob' }, issue: { identifier: 'ENG-1' } },
  ]);
  const one = await ask('query($id: String!) { comment(id: $id) { body children { nodes { id } } } }', {
    id: parent,
  });
  expect(one.data.comment).toEqual({ body: 'What?', children: { nodes: [{ id: reply }] } });
  expect(await refusal('{ comment(id: "none") { id } }')).toMatchObject({
    message: 'Entity not found: Comment',
  });
});

test('a team has its states, its own labels and its triage setting', async () => {
  const { ask, linear } = await stage();
  linear.people.label({ name: 'bug', team: 'ENG' });
  linear.people.label({ name: 'everywhere' });
  const id = linear.people.team({ key: 'OPS', name: 'Operations', triage: true });
  const query = `query($id: String!) { team(id: $id) {
    key name triageEnabled triageIssueState { name } labels { nodes { name } } states { nodes { name type position } }
  } }`;
  expect((await ask(query, { id })).data.team).toMatchObject({
    key: 'OPS',
    triageEnabled: true,
    triageIssueState: { name: 'Triage' },
    labels: { nodes: [] },
  });
  const { team } = (await ask(query, { id: 'ENG' })).data;
  expect(team).toMatchObject({ triageEnabled: false, labels: { nodes: [{ name: 'bug' }] } });
  const sorted = team.states.nodes.toSorted(
    (a: { position: number }, b: { position: number }) => a.position - b.position,
  );
  expect(sorted.map(({ name, type }: { name: string; type: string }) => [name, type])).toEqual([
    ['Backlog', 'backlog'],
    ['Todo', 'unstarted'],
    ['In Progress', 'started'],
    ['In Review', 'started'],
    ['Done', 'completed'],
    ['Canceled', 'canceled'],
    ['Duplicate', 'duplicate'],
  ]);
});

test('deactivated users still exist, but are listed only on request', async () => {
  const { ask, linear } = await stage();
  const id = linear.people.user('carl', { active: false });
  const names = async (args: string) => {
    const { data } = await ask(`{ users${args} { nodes { name active } } }`);
    return data.users.nodes.map(({ name }: { name: string }) => name);
  };
  expect(await names('')).toEqual(['bob', 'ada']);
  expect(await names('(includeDisabled: true)')).toEqual(['carl', 'bob', 'ada']);
  expect((await ask('query($id: String!) { user(id: $id) { active } }', { id })).data.user.active).toBe(
    false,
  );
  expect((await ask('{ user(id: "me") { name isMe } }')).data.user).toEqual({ name: 'ada', isMe: true });
});
