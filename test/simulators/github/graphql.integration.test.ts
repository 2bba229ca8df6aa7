/**
 * Checks that the simulator supports what GitHub's schema allows, and rejects what GitHub rejects.
 */
import { afterEach, expect, test } from 'vitest';
import { closeStages, REPO, stage } from './simulated-github.ts';

afterEach(closeStages);

const BOARD = `query Board($first: Int!, $after: String) {
  organization(login: "acme") {
    projectV2(number: 1) {
      id
      field(name: "Status") { ... on ProjectV2SingleSelectField { id options { id name } } }
      items(first: $first, after: $after) {
        totalCount
        pageInfo { endCursor hasNextPage }
        nodes {
          id updatedAt isArchived type
          fieldValueByName(name: "Status") { ... on ProjectV2ItemFieldSingleSelectValue { name optionId updatedAt } }
          content {
            __typename
            ... on Issue {
              id number title state author { login } authorAssociation labels(first: 10) { nodes { name } }
              parent { number } subIssues(first: 5) { nodes { number } } comments(last: 5) { nodes { body } }
              timelineItems(last: 1, itemTypes: [REOPENED_EVENT]) { nodes { ... on ReopenedEvent { createdAt actor { login } } } }
            }
            ... on DraftIssue { title }
          }
        }
      }
    }
  }
  rateLimit { cost remaining limit nodeCount resetAt }
}`;

test('a board is read page by page, with drafts, parents, values and reopened issues', async () => {
  const { github, graphql } = await stage();
  const { people } = github;
  people.issue(REPO, { author: 'ada', title: 'First', labels: ['bug'], project: 'acme/1', status: 'Todo' });
  people.issue(REPO, { author: 'eve', title: 'Second', parent: 1, project: 'acme/1' });
  people.addDraft('acme/1', { author: 'bob', title: 'Only a thought' });
  people.closeIssue('ada', REPO, 1);
  people.reopenIssue('bob', REPO, 1);
  people.move('bob', 'acme/1', REPO, 1, 'In Progress');

  const one = await graphql(BOARD, { first: 2 });
  expect(one.errors).toEqual([]);
  const { items } = one.data.organization.projectV2;
  expect(items).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
  expect(items.nodes).toMatchObject([
    {
      type: 'ISSUE',
      fieldValueByName: { name: 'In Progress' },
      content: {
        number: 1,
        authorAssociation: 'MEMBER',
        labels: { nodes: [{ name: 'bug' }] },
        subIssues: { nodes: [{ number: 2 }] },
        timelineItems: { nodes: [{ actor: { login: 'bob' } }] },
      },
    },
    { fieldValueByName: null, content: { authorAssociation: 'NONE', parent: { number: 1 } } },
  ]);
  expect(one.data.rateLimit).toMatchObject({ cost: 1, limit: 5000, remaining: 4999 });

  const two = await graphql(BOARD, { first: 2, after: items.pageInfo.endCursor });
  expect(two.data.organization.projectV2.items.nodes).toMatchObject([
    { type: 'DRAFT_ISSUE', content: { __typename: 'DraftIssue', title: 'Only a thought' } },
  ]);
});

test('a query that contains a field unknown to GitHub fails as a whole', async () => {
  const { graphql } = await stage();
  const { data, errors } = await graphql('{ viewer { login nonsense } }');
  expect(data).toBeUndefined();
  expect(errors[0]?.message).toContain('Cannot query field "nonsense" on type "User"');
});

test('a field of the schema that is not simulated is rejected with an error that mentions the field', async () => {
  const { graphql } = await stage();
  const { status, errors } = await graphql('{ viewer { login bio } }');
  expect(status).toBe(501);
  expect(errors).toMatchObject([{ type: 'NOT_SIMULATED', message: expect.stringContaining('User.bio') }]);
});

test('an argument that no resolver reads is rejected, in a query and in a mutation', async () => {
  const { github, graphql } = await stage();
  github.people.issue(REPO, { author: 'ada', title: 'First' });
  const query =
    '{ repository(owner: "acme", name: "app") { id collaborators(first: 1, affiliation: OUTSIDE) { totalCount } } }';
  expect(await graphql(query)).toMatchObject({
    status: 501,
    errors: [{ message: expect.stringContaining('affiliation') }],
  });
  const { data } = await graphql('{ repository(owner: "acme", name: "app") { id } }');
  const create = `mutation($id: ID!) { createIssue(input: { repositoryId: $id, title: "x", milestoneId: "y" }) { issue { id } } }`;
  const { errors } = await graphql(create, { id: data.repository.id });
  expect(errors).toMatchObject([{ type: 'NOT_SIMULATED', message: expect.stringContaining('milestoneId') }]);
});

test.each([
  ['items { totalCount }', 'MISSING_PAGINATION_BOUNDARIES'],
  ['items(first: 101) { totalCount }', 'EXCESSIVE_PAGINATION'],
  ['items(first: 0) { totalCount }', 'EXCESSIVE_PAGINATION'],
])('a board query with %s is rejected', async (items, type) => {
  const { graphql } = await stage();
  const { data, errors } = await graphql(
    `{ organization(login: "acme") { projectV2(number: 1) { ${items} } } }`,
  );
  expect(data).toBeUndefined();
  expect(errors).toMatchObject([{ type }]);
});

test('a query for too many nodes is rejected before execution', async () => {
  const { graphql } = await stage();
  const inner = 'subIssues(first: 100) { nodes { subIssues(first: 100) { nodes { id } } } }';
  const { errors } = await graphql(
    `{ repository(owner: "acme", name: "app") { issues(first: 100) { nodes { ${inner} } } } }`,
  );
  expect(errors).toMatchObject([
    { type: 'MAX_NODE_LIMIT_EXCEEDED', message: expect.stringContaining('1,010,100 possible nodes') },
  ]);
});

test('a query costs one point per hundred requests that its connections would need', async () => {
  const { graphql } = await stage();
  // One page of issues, plus labels and comments of each of a hundred issues: 201 requests.
  const issues =
    'issues(first: 100) { nodes { labels(first: 1) { totalCount } comments(first: 1) { totalCount } } }';
  const { data, headers } = await graphql(
    `{ repository(owner: "acme", name: "app") { ${issues} } rateLimit { cost nodeCount } }`,
  );
  expect(data.rateLimit).toEqual({ cost: 2, nodeCount: 300 });
  expect(headers.get('x-ratelimit-used')).toBe('2');
});

test('an alias for a missing node is null, and the response has an error in addition to the other aliases', async () => {
  const { github, graphql } = await stage();
  github.people.issue(REPO, { author: 'ada', title: 'First' });
  const { data, errors } = await graphql(
    '{ repository(owner: "acme", name: "app") { a: issue(number: 1) { title } b: issue(number: 9) { title } } }',
  );
  expect(data.repository).toEqual({ a: { title: 'First' }, b: null });
  expect(errors).toMatchObject([{ type: 'NOT_FOUND', path: ['repository', 'b'] }]);
});

test('mutations in one document run in order, and the board reflects them', async () => {
  const { github, graphql } = await stage();
  github.people.issue(REPO, { author: 'ada', title: 'First', project: 'acme/1', status: 'Todo' });
  const read = await graphql(BOARD, { first: 1 });
  const { id: projectId, field, items } = read.data.organization.projectV2;
  const [item] = items.nodes;
  const { data, errors } = await graphql(
    `mutation Step($project: ID!, $item: ID!, $field: ID!, $option: String!, $issue: ID!, $label: ID!) {
      one: addLabelsToLabelable(input: { labelableId: $issue, labelIds: [$label] }) {
        labelable { ... on Issue { labels(first: 5) { nodes { name } } } }
      }
      two: updateProjectV2ItemFieldValue(input: {
        projectId: $project, itemId: $item, fieldId: $field, value: { singleSelectOptionId: $option }
      }) { projectV2Item { id } }
      three: addComment(input: { subjectId: $issue, body: "moved" }) { commentEdge { node { id body } } }
    }`,
    {
      project: projectId,
      item: item.id,
      field: field.id,
      option: field.options[2].id,
      issue: item.content.id,
      label: (await graphql('{ repository(owner: "acme", name: "app") { label(name: "BUG") { id } } }')).data
        .repository.label.id,
    },
  );
  expect(errors).toEqual([]);
  expect(data.three.commentEdge.node.body).toBe('moved');
  expect(github.snapshot().issues).toMatchObject([
    { labels: ['bug'], statuses: { 'acme/1': 'Done' }, comments: [{ author: 'ada', body: 'moved' }] },
  ]);
});

test('when a field’s options are replaced, the options get new ids, and issues lose their old value', async () => {
  const { github, graphql } = await stage();
  github.people.issue(REPO, { author: 'ada', title: 'First', project: 'acme/1', status: 'Todo' });
  const before = (await graphql(BOARD, { first: 1 })).data.organization.projectV2;
  await graphql(
    `mutation($field: ID!) { updateProjectV2Field(input: { fieldId: $field, singleSelectOptions: [
      { name: "Todo", color: GRAY, description: "" }, { name: "Testing", color: RED, description: "" }
    ] }) { projectV2Field { ... on ProjectV2SingleSelectField { id } } } }`,
    { field: before.field.id },
  );
  const after = (await graphql(BOARD, { first: 1 })).data.organization.projectV2;
  expect(after.field.options.map(({ name }: { name: string }) => name)).toEqual(['Todo', 'Testing']);
  expect(after.field.options[0].id).not.toBe(before.field.options[0].id);
  expect(after.items.nodes[0].fieldValueByName).toBeNull();
});

test('an account without write permission or scope is rejected', async () => {
  const { github, graphql } = await stage();
  const { people } = github;
  people.issue(REPO, { author: 'ada', title: 'First', project: 'acme/1' });
  const read = await graphql(BOARD, { first: 1 });
  const [item] = read.data.organization.projectV2.items.nodes;
  const close = `mutation($issue: ID!) { closeIssue(input: { issueId: $issue }) { issue { state } } }`;
  const eve = await graphql(close, { issue: item.content.id }, people.token('eve'));
  expect(eve.errors).toMatchObject([
    { type: 'FORBIDDEN', message: 'eve does not have the correct permissions to execute `CloseIssue`' },
  ]);
  const narrow = people.token('ada', ['repo']);
  const unscoped = await graphql(BOARD, { first: 1 }, narrow);
  expect(unscoped.errors).toMatchObject([{ type: 'INSUFFICIENT_SCOPES' }]);
  expect(unscoped.headers.get('x-oauth-scopes')).toBe('repo');
  const outside = await graphql(BOARD, { first: 1 }, people.token('eve'));
  expect(outside.errors).toMatchObject([{ type: 'NOT_FOUND' }]);
  expect(github.snapshot().issues).toMatchObject([{ state: 'OPEN' }]);
  expect((await graphql('{ viewer { login } }', {}, 'ghp_nobody')).status).toBe(401);
});

test('the blocked issues of a board are found, and both APIs show their blockers', async () => {
  const { github, graphql, rest } = await stage();
  const { people } = github;
  for (const title of ['First', 'Second', 'Third'])
    people.issue(REPO, { author: 'ada', title, project: 'acme/1' });
  const { body: second } = await rest('GET /repos/acme/app/issues/1/dependencies/blocked_by');
  expect(second).toEqual([]);
  people.block(REPO, 2, { name: REPO, number: 1 });
  const search = `{ search(type: ISSUE, first: 10, query: "project:acme/1 is:open is:blocked") {
    issueCount nodes { ... on Issue { number } } } }`;
  expect((await graphql(search)).data.search).toEqual({ issueCount: 1, nodes: [{ number: 2 }] });
  const { body: blockers } = await rest('GET /repos/acme/app/issues/2/dependencies/blocked_by');
  expect(blockers).toMatchObject([{ number: 1, state: 'open' }]);
  const made = await rest('POST /repos/acme/app/issues/3/dependencies/blocked_by', {
    body: { issue_id: blockers[0].id },
  });
  expect(made.status).toBe(201);
  people.closeIssue('ada', REPO, 1);
  expect((await graphql(search)).data.search.issueCount).toBe(0);
  people.block(REPO, 3, { name: REPO, number: 2 });
  const blockedBy = `{ repository(owner: "acme", name: "app") {
    issue(number: 3) { blockedBy(first: 1) { totalCount nodes { number } } } } }`;
  expect((await graphql(blockedBy)).data.repository.issue.blockedBy).toEqual({
    totalCount: 2,
    nodes: [{ number: 2 }],
  });
});

test('permissions of many authors are read at once', async () => {
  const { graphql, rest } = await stage();
  const edges = '{ edges { permission node { login } } }';
  const { data } = await graphql(`{ repository(owner: "acme", name: "app") {
    a: collaborators(first: 1, login: "bob") ${edges} b: collaborators(first: 1, login: "eve") ${edges} } }`);
  expect(data.repository).toEqual({
    a: { edges: [{ permission: 'MAINTAIN', node: { login: 'bob' } }] },
    b: { edges: [] },
  });
  const { body } = await rest('GET /repos/acme/app/collaborators/eve/permission');
  expect(body).toMatchObject({ permission: 'read', role_name: 'read' });
});
