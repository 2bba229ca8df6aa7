/**
 * Checks that the schema is Linear's own, and that a feature that is not simulated is rejected with
 * an error that mentions it.
 */
import * as sdk from '@linear/sdk';
import { parse, validate, validateSchema } from 'graphql';
import { afterEach, expect, test } from 'vitest';
import { loadLinearSchema } from '../../../simulators/linear/schema/schema.ts';
import { closeStages, stage } from './simulated-linear.ts';

afterEach(closeStages);

test('every document of Linear’s SDK is valid against the simulator’s schema', () => {
  const schema = loadLinearSchema();
  expect(validateSchema(schema)).toEqual([]);
  const documents = Object.entries(sdk.LinearDocument).filter(([name]) => name.endsWith('Document'));
  expect(documents.length).toBeGreaterThan(500);
  const wrong = documents.flatMap(([name, document]) =>
    validate(schema, parse(String(document))).map(({ message }) => `${name}: ${message}`),
  );
  expect(wrong).toEqual([]);
});

test('the schema has the SDK’s types, with their arguments, interfaces, enums and nullability', () => {
  const schema = loadLinearSchema();
  const issue = schema.getType('Issue') as unknown as {
    getFields(): Record<string, { type: unknown; args: readonly { name: string; type: unknown }[] }>;
    getInterfaces(): readonly unknown[];
  };
  expect(issue.getInterfaces().map(String)).toEqual(['Node']);
  const { title, description, labelIds, comments } = issue.getFields();
  expect([title, description, labelIds].map((field) => String(field?.type))).toEqual([
    'String!',
    'String',
    '[String!]!',
  ]);
  expect(comments?.args.map(({ name, type }) => `${name}: ${String(type)}`)).toContain(
    'filter: CommentFilter',
  );
  expect(schema.getType('PaginationOrderBy')?.toString()).toBe('PaginationOrderBy');
  expect(schema.getType('IssueFragment')).toBeUndefined();
});

test('a field that Linear does not have is rejected as on Linear', async () => {
  const { ask } = await stage();
  const answer = await ask('{ viewer { login } }');
  expect(answer).toMatchObject({
    status: 400,
    errors: [
      {
        message: expect.stringContaining('Cannot query field "login" on type "User".'),
        extensions: { type: 'graphql error', code: 'GRAPHQL_VALIDATION_FAILED' },
      },
    ],
  });
  expect((await ask('{ issues(order: 1) { nodes { id } } }')).status).toBe(400);
  expect((await ask('query($id: String!) { issue(id: $id) { id } }')).status).toBe(400);
  expect((await ask('{ viewer { ')).status).toBe(400);
  expect((await ask('{ issues(filter: {updatedAt: {gte: "soon"}}) { nodes { id } } }')).status).toBe(400);
});

test('a field, argument, filter or comparator that is not simulated is rejected with status 501 and an error that mentions it', async () => {
  const { ask, linear } = await stage();
  linear.people.issue('ENG', { creator: 'ada', title: 'First' });
  const missing = {
    '{ issue(id: "ENG-1") { subscribers { nodes { id } } } }': 'Issue.subscribers',
    '{ cycles { nodes { id } } }': 'Query.cycles',
    '{ issues(sort: [{priority: {order: Ascending}}]) { nodes { id } } }': 'sort',
    '{ issues(filter: {cycle: {number: {eq: 1}}}) { nodes { id } } }': 'cycle',
    '{ issues(filter: {title: {containsIgnoreCaseAndAccent: "x"}}) { nodes { id } } }':
      'containsIgnoreCaseAndAccent',
    'mutation { issueUpdate(id: "ENG-1", input: {trashed: true}) { success } }': 'trashed',
    'mutation { projectCreate(input: {name: "x", teamIds: []}) { success } }': 'Mutation.projectCreate',
  };
  for (const [query, name] of Object.entries(missing)) {
    const { status, errors } = await ask(query);
    expect([status, errors[0]?.extensions.code], query).toEqual([501, 'NOT_SIMULATED']);
    expect(errors[0]?.message).toContain(name);
  }
});

test('a page has 50 entries by default and at most 250', async () => {
  const { ask, refusal, linear } = await stage();
  for (let at = 0; at < 60; at += 1) linear.people.issue('ENG', { creator: 'ada', title: `Issue ${at}` });
  const { data } = await ask('{ issues { nodes { id } pageInfo { hasNextPage } } }');
  expect(data.issues.nodes).toHaveLength(50);
  expect(data.issues.pageInfo.hasNextPage).toBe(true);
  expect((await ask('{ issues(first: 250) { nodes { id } } }')).data.issues.nodes).toHaveLength(60);
  expect(await refusal('{ issues(first: 251) { nodes { id } } }')).toMatchObject({
    extensions: { type: 'invalid input', userPresentableMessage: 'first must not be greater than 250' },
  });
});

test('a query’s complexity is 0.1 per property and 1 per object, times the page size; a query above 10,000 is rejected', async () => {
  const { ask, linear } = await stage();
  const complexity = async (query: string, variables = {}) =>
    (await ask(query, variables)).headers.get('x-complexity');
  expect(await complexity('{ viewer { id name } }')).toBe('2'); // 1.2
  expect(await complexity('{ issues(first: 10) { nodes { id } } }')).toBe('12'); // 1 + 10 × 1.1
  expect(await complexity('{ issues { nodes { id team { id } } } }')).toBe('111'); // 1 + 50 × (1.1 + 1.1)
  expect(await complexity('query($n: Int = 5) { issues(first: $n) { nodes { id } } }')).toBe('7');
  expect(await complexity('query($n: Int) { issues(first: $n) { nodes { id } } }', { n: 20 })).toBe('23');
  expect(await complexity('{ viewer { id name @skip(if: true) } }')).toBe('2');
  const heavy = await ask('{ issues(first: 100) { nodes { comments(first: 100) { nodes { id } } } } }');
  expect(heavy).toMatchObject({
    status: 400,
    errors: [{ message: 'Query too complex', extensions: { type: 'invalid input' } }],
  });
  expect(linear.requests().at(-1)).toMatchObject({ status: 400, complexity: 0 });
});
