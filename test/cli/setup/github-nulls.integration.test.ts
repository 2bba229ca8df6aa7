/**
 * Tests that the commands that set up boards and demos handle every null that GitHub's schema
 * allows.
 */
import { afterEach, expect, test } from 'vitest';
import {
  findProject,
  findRepository,
  makeIssue,
  makeLabels,
  putOnBoard,
} from '../../../src/cli/commands/setup/demo/github-board.ts';
import { listOpenProjects, readBoard } from '../../../src/cli/github/board.ts';
import { readAllItemValues, readItemValues } from '../../../src/cli/github/rewrite-options.ts';
import { NEVER_ABORTED } from '../../../src/lib/async/abortable.ts';
import { type Loopback, loopback } from '../../integrations/github/client/loopback.ts';

let server: Loopback | undefined;
afterEach(() => server?.[Symbol.asyncDispose]());

/**
 * Returns a client for a fake GitHub that returns these responses in order and then repeats the
 * last one.
 */
async function clientTo(...answers: readonly object[]) {
  let asked = 0;
  server = await loopback((response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data: answers[Math.min(asked, answers.length - 1)] }));
    asked += 1;
  });
  return server.client();
}

const BOARD = { repository: 'R', project: 'P', field: 'F', option: 'O' };
const PROJECT = { owner: 'acme', number: 1 };
const PAGE_INFO = { hasNextPage: false, endCursor: null };
const STORY = { title: 'Add a total', body: '', labels: ['bug'] };

const setup = (field: object | null) => ({
  repositoryOwner: {
    login: 'acme',
    projectV2: { id: 'P', title: 'Board', url: 'https://x.test', field, items: { totalCount: 0 } },
  },
});

test.each([
  ['no owner', { repositoryOwner: null }, 'does not exist'],
  ['an owner without projects', { repositoryOwner: {} }, 'does not exist'],
  ['no project', { repositoryOwner: { login: 'acme', projectV2: null } }, 'does not exist'],
  ['no field', setup(null), 'has no Status field'],
  ['a field without options', setup({}), 'has no Status field'],
])('readBoard rejects a response with %s', async (_name, answer, message) => {
  const reading = readBoard(await clientTo(answer), PROJECT, NEVER_ABORTED);
  await expect(reading).rejects.toMatchObject({
    code: 'github.missing',
    message: expect.stringContaining(message),
  });
});

test.each([
  ['no owner', { repositoryOwner: null }, []],
  ['no list', { repositoryOwner: { login: 'acme', projectsV2: { nodes: null } } }, []],
  [
    'a hidden project',
    {
      repositoryOwner: {
        login: 'acme',
        projectsV2: { nodes: [null, { number: 2, title: 'Two', closed: false }] },
      },
    },
    [{ name: 'acme/2', title: 'Two' }],
  ],
])('listOpenProjects accepts a response with %s', async (_name, answer, expected) => {
  expect(await listOpenProjects(await clientTo(answer), 'acme', NEVER_ABORTED)).toEqual(expected);
});

test.each([
  ['no list', { items: { nodes: null, pageInfo: PAGE_INFO } }, []],
  [
    'a hidden item and one without a column',
    {
      items: {
        nodes: [
          null,
          { id: 'a', type: 'ISSUE', isArchived: false, value: null },
          { id: 'b', type: 'ISSUE', isArchived: false, value: {} },
          { id: 'c', type: 'ISSUE', isArchived: false, value: { name: null } },
          { id: 'd', type: 'ISSUE', isArchived: true, value: { name: 'Done' } },
        ],
        pageInfo: PAGE_INFO,
      },
    },
    [{ item: 'd', archived: true, option: 'Done' }],
  ],
])('readAllItemValues accepts a response with %s', async (_name, node, expected) => {
  expect(await readAllItemValues(await clientTo({ node }), { id: 'P' }, NEVER_ABORTED)).toEqual(expected);
});

test.each([
  ['null', null],
  ['of another type', {}],
])('readAllItemValues rejects a board that is %s', async (_name, node) => {
  const reading = readAllItemValues(await clientTo({ node }), { id: 'P' }, NEVER_ABORTED);
  await expect(reading).rejects.toMatchObject({ code: 'github.missing' });
});

test('readItemValues skips items that no longer exist or have another type', async () => {
  const item = { id: 'a', type: 'ISSUE', isArchived: false, value: null };
  const values = await readItemValues(
    await clientTo({ nodes: [null, {}, item] }),
    ['x', 'y', 'a'],
    NEVER_ABORTED,
  );
  expect([...values]).toEqual([['a', { item: 'a', archived: false, option: undefined }]]);
});

test('a demo reports a repository, a project or a column that GitHub does not return', async () => {
  const client = await clientTo(
    { repository: null },
    { repositoryOwner: null },
    { repositoryOwner: { projectV2: null } },
    { repositoryOwner: { projectV2: { id: 'P', field: null } } },
    { repositoryOwner: { projectV2: { id: 'P', field: {} } } },
  );
  const missing = { code: 'github.missing' };
  const noColumn = { code: 'tracker.column_missing' };
  await expect(findRepository(client, 'acme/app', NEVER_ABORTED)).rejects.toMatchObject(missing);
  await expect(findProject(client, 'acme/1', NEVER_ABORTED)).rejects.toMatchObject(missing);
  await expect(findProject(client, 'acme/1', NEVER_ABORTED)).rejects.toMatchObject(missing);
  await expect(findProject(client, 'acme/1', NEVER_ABORTED)).rejects.toMatchObject(noColumn);
  await expect(findProject(client, 'acme/1', NEVER_ABORTED)).rejects.toMatchObject(noColumn);
});

test.each([
  ['no repository', null],
  ['an object of another type', {}],
  ['no labels', { labels: null }],
  ['no list', { labels: { nodes: null } }],
  ['a hidden label', { labels: { nodes: [null] } }],
])('a demo creates its labels if GitHub returns %s', async (_name, node) => {
  const client = await clientTo({ node }, { createLabel: { label: { id: 'L' } } });
  expect([...(await makeLabels(client, BOARD, new Set(['bug'])))]).toEqual([['bug', 'L']]);
});

test.each([
  ['null', null],
  ['a response without the created object', {}],
])('a demo reports a mutation that returns %s', async (_name, made) => {
  const client = await clientTo({
    node: null,
    createLabel: made && { label: null },
    createIssue: made && { issue: null },
    addProjectV2ItemById: made && { item: null },
  });
  const unavailable = { code: 'github.unavailable', message: expect.stringContaining('just created') };
  await expect(makeLabels(client, BOARD, new Set(['bug']))).rejects.toMatchObject(unavailable);
  await expect(makeIssue(client, BOARD, STORY, new Map())).rejects.toMatchObject(unavailable);
  await expect(putOnBoard(client, BOARD, 'I')).rejects.toMatchObject(unavailable);
});
