/** Answers of Linear's API and of its MCP server, as they are: every form is read, and what is malformed is named by its place. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CATALOGUE } from '../../../../src/core/model/fault.ts';
import { POSTED_MOST } from '../../../../src/integrations/linear/tracker/find-posted-issues.ts';
import { postedIssues } from '../../../../src/trackers/linear/posted/posted-issues.ts';
import { assertProperty } from '../../../support/property.ts';

const UUID = '2174add1-f7c8-44e3-bbf3-2d60b5ea8bc9';

/** As the API gives it. */
const API = {
  id: UUID,
  identifier: 'ENG-21',
  title: 'A door that squeaks',
  description: 'Oil it.',
  url: 'https://linear.app/acme/issue/ENG-21/a-door-that-squeaks',
  state: { id: UUID, name: 'Todo', type: 'unstarted' },
  labels: { nodes: [{ id: UUID, name: 'bug' }, { name: 'Worker-Done' }], pageInfo: { hasNextPage: false } },
  priority: 2,
  priorityLabel: 'High',
  assignee: { id: UUID, name: 'Ada' },
  createdAt: '2026-11-16T12:00:00.123Z',
  parent: { id: UUID, identifier: 'ENG-1' },
  project: { id: UUID, name: 'Doors' },
  attachments: { nodes: [{ url: 'https://github.com/acme/app/pull/7' }] },
  relations: { nodes: [{ type: 'blocks', relatedIssue: { identifier: 'ENG-30' } }] },
  inverseRelations: {
    nodes: [
      { type: 'blocks', issue: { identifier: 'ENG-3', state: { name: 'In Progress', type: 'started' } } },
      { type: 'blocks', issue: { identifier: 'ENG-4', state: { name: 'Shipped', type: 'completed' } } },
      { type: 'related', issue: { identifier: 'ENG-5', state: { name: 'Todo', type: 'unstarted' } } },
    ],
  },
};

/** As the MCP server gives the same. */
const MCP = {
  id: 'ENG-21',
  title: 'A door that squeaks',
  description: 'Oil it.',
  priority: { value: 2, name: 'High' },
  url: API.url,
  gitBranchName: 'ada/eng-21',
  createdAt: '2026-11-16T12:00:00.123Z',
  archivedAt: null,
  status: 'Todo',
  labels: ['bug', 'worker-done'],
  attachments: [{ id: UUID, title: 'PR', url: 'https://github.com/acme/app/pull/7' }],
  assignee: 'Ada',
  assigneeId: UUID,
  project: 'Doors',
  parentId: 'ENG-1',
  team: 'Engineering',
  relations: { blocks: [], blockedBy: [{ id: 'ENG-3', title: 'First' }], relatedTo: [], duplicateOf: null },
};

const READ = {
  id: 'ENG-21',
  title: 'A door that squeaks',
  body: 'Oil it.',
  column: 'Todo',
  labels: ['bug', 'worker-done'],
  priority: 2,
  createdAt: Date.UTC(2026, 10, 16, 12, 0, 0, 123),
  parent: 'ENG-1',
  project: 'Doors',
  links: ['https://github.com/acme/app/pull/7'],
  openBlockers: ['ENG-3'],
};
const SOURCE = { source: { kind: 'linear', uuid: UUID, identifier: 'ENG-21' } };

function read(posted: unknown, names = {}) {
  const issues = postedIssues(posted, names);
  if (!issues.ok) throw new Error(issues.fault.message);
  expect(issues.value.rejected).toEqual([]);
  return issues.value.issues;
}
const texts = (...parts: unknown[]) => parts.map((part) => ({ type: 'text', text: JSON.stringify(part) }));

test.each<[string, unknown]>([
  ['a bare list', [API]],
  ['our own form', { backend: 'linear', issues: [API] }],
  ['`issues` with nodes', { issues: { nodes: [API], pageInfo: {} } }],
  ['nodes', { nodes: [API] }],
  ['an answer of GraphQL', { data: { issues: { nodes: [API] } } }],
  ['one of a team', { data: { team: { id: UUID, name: 'Engineering', issues: { nodes: [API] } } } }],
  ['one of a project', { data: { project: { name: 'Doors', issues: { nodes: [API] } } } }],
  ['one about one issue', { data: { issue: API } }],
  ['one with no errors', { data: { issues: { nodes: [API] } }, errors: [] }],
  ['one issue', API],
])('the API’s issue is read from %s', (_, posted) => {
  expect(read(posted)).toEqual([{ ...READ, ...SOURCE }]);
});

test.each<[string, unknown]>([
  ['a bare list', [MCP]],
  ['`issues`', { issues: [MCP], hasNextPage: false }],
  ['the result of a tool', { content: texts({ issues: [MCP] }) }],
  ['one that is a list', { content: texts([MCP]), isError: false }],
  ['one about one issue', { content: texts(MCP) }],
  [
    'one that says several things',
    { content: [{ type: 'image', data: '' }, ...texts([], { issues: [MCP] })] },
  ],
  ['one in the words of the protocol', { jsonrpc: '2.0', id: 1, result: { content: texts([MCP]) } }],
  ['one with structured content', { structuredContent: { issues: [MCP] } }],
  ['its parts alone', texts({ issues: [MCP] })],
  ['one issue', MCP],
])('the MCP server’s issue is read from %s', (_, posted) => {
  expect(read(posted)).toEqual([READ]);
});

test.each<[string, object, object]>([
  ['a state that is a text', { state: 'In Review' }, { column: 'In Review' }],
  ['a status that is an object', { state: undefined, status: { name: 'Testing' } }, { column: 'Testing' }],
  [
    'a completed state',
    { state: { name: 'Shipped', type: 'completed' } },
    { column: 'Closed', openBlockers: [] },
  ],
  [
    'a completed state called Done',
    { state: { name: 'Done', type: 'completed' } },
    { column: 'Done', openBlockers: [] },
  ],
  [
    'a type beside the status',
    { state: 'Nope', statusType: 'canceled' },
    { column: 'Canceled', openBlockers: [] },
  ],
  ['a type of tomorrow', { state: { name: 'Todo', type: 'constructor' } }, { column: 'Todo' }],
  ['no priority', { priority: null }, { priority: 0 }],
  ['a priority by name', { priority: 'Urgent' }, { priority: 1 }],
  ['no description', { description: null }, { body: '' }],
  ['labels as a list of objects', { labels: [{ name: 'bug' }] }, { labels: ['bug'] }],
  ['no labels', { labels: { nodes: [] } }, { labels: [] }],
  [
    'attachments that are texts',
    { attachments: ['https://x.example/1'] },
    { links: ['https://x.example/1'] },
  ],
  ['blockers by name', { inverseRelations: undefined, blockedBy: ['ENG-9'] }, { openBlockers: ['ENG-9'] }],
  ['nothing that blocks', { inverseRelations: { nodes: [] } }, { openBlockers: [] }],
])('%s is read', (_, change, expected) => {
  expect(read([{ ...API, ...change }])).toEqual([{ ...READ, ...SOURCE, ...expected }]);
});

test('what was not posted is left out, and not taken for nothing', () => {
  const least = { id: UUID, url: API.url, title: 'A door', state: 'Todo', labels: [] };
  expect(read([least])).toEqual([{ id: 'ENG-21', title: 'A door', column: 'Todo', labels: [], ...SOURCE }]);
});

test('what is archived or trashed is on no board; of the same issue twice the later counts', () => {
  const gone = [
    { ...API, identifier: 'ENG-22', archivedAt: '2026-01-01T00:00:00.000Z' },
    { ...API, identifier: 'ENG-23', trashed: true },
  ];
  const issues = read([...gone, API, { ...API, title: 'Later' }]);
  expect(issues.map(({ id, title }) => [id, title])).toEqual([['ENG-21', 'Later']]);
});

test('an empty answer has no issues', () => {
  for (const posted of [[], { issues: [] }, { data: { issues: { nodes: [] } } }, { content: texts([]) }])
    expect(read(posted)).toEqual([]);
});

test('as many issues as allowed are read', () => {
  const many = Array.from({ length: POSTED_MOST }, (_, index) => ({ ...MCP, id: `ENG-${index + 1}` }));
  expect(read({ issues: many })).toHaveLength(POSTED_MOST);
});

const four = (change: object) => ({ issues: [API, API, API, { ...API, ...change }] });
test.each<[unknown, string]>([
  [
    four({ labels: { nodes: [{ name: 5 }] } }),
    'issues[3].labels.nodes[0].name: expected string, got number 5',
  ],
  [four({ labels: ['a', 5] }), 'issues[3].labels[1]: expected object, got number 5'],
  [four({ labels: 'bug' }), 'issues[3].labels: expected array, got "bug"'],
  [four({ labels: null }), 'issues[3].labels: expected array, got null'],
  [four({ labels: undefined }), 'issues[3].labels: is missing'],
  [four({ labels: { edges: [] } }), 'issues[3].labels.nodes: is missing'],
  [four({ state: undefined }), 'issues[3].state: is missing'],
  [four({ state: 5 }), 'issues[3].state: expected object, got number 5'],
  [four({ state: { name: null } }), 'issues[3].state.name: expected string, got null'],
  [four({ title: undefined }), 'issues[3].title: is missing'],
  [
    four({ title: 'x'.repeat(2_001) }),
    'issues[3].title: must be of length at most 2000, got a string of length 2001',
  ],
  [four({ description: 5 }), 'issues[3].description: expected string, got number 5'],
  [
    four({ description: 'x'.repeat(500_001) }),
    'issues[3].description: must be of length at most 500000, got a string of length 500001',
  ],
  [four({ identifier: 'nonsense' }), 'issues[3].identifier: is no identifier such as ENG-21, got "nonsense"'],
  [four({ identifier: undefined, url: undefined }), 'issues[3].identifier: is missing'],
  [four({ id: 5 }), 'issues[3].id: expected string, got number 5'],
  [four({ priority: 9 }), 'issues[3].priority: expected one of 0, 1, 2, 3, 4, got number 9'],
  [four({ priority: { value: 'a' } }), 'issues[3].priority.value: expected one of 0, 1, 2, 3, 4, got "a"'],
  [four({ priority: 'Soon' }), 'issues[3].priority: is no priority of Linear, got "Soon"'],
  [four({ createdAt: 'yesterday' }), 'issues[3].createdAt: Invalid ISO datetime, got "yesterday"'],
  [four({ parent: { id: 'x' } }), 'issues[3].parent.identifier: is missing'],
  [four({ project: [] }), 'issues[3].project: expected object, got array of length 0'],
  [four({ attachments: { nodes: [{}] } }), 'issues[3].attachments.nodes[0].url: is missing'],
  [
    four({ inverseRelations: { nodes: [{ type: 'blocks', issue: null }] } }),
    'issues[3].inverseRelations.nodes[0].issue: expected object, got null',
  ],
  [
    four({ relations: { blockedBy: [{ id: 7 }] } }),
    'issues[3].relations.blockedBy[0].id: expected string, got number 7',
  ],
  [four({ relations: 5 }), 'issues[3].relations: expected array, got number 5'],
  [[API, 5], '[1]: expected object, got number 5'],
  [[API, null], '[1]: expected object, got null'],
  [
    { content: [...texts({ issues: [API] }), { type: 'text', text: 'Done.' }] },
    'content[1].text: expected JSON, got "Done."',
  ],
  [
    {
      data: { issues: { nodes: [API, { ...API, identifier: 'ENG-22' }] } },
      errors: [{ message: 'No access', path: ['issues', 'nodes', 1, 'parent'] }],
    },
    'data.issues.nodes[1].parent: "No access"',
  ],
])('a malformed issue is rejected with its place, and the others are read (%#)', (posted, message) => {
  const read = postedIssues(posted, {});
  if (!read.ok) throw new Error(read.fault.message);
  expect(read.value.issues).toEqual([{ ...READ, ...SOURCE }]);
  const [rejected] = read.value.rejected;
  expect(read.value.rejected).toHaveLength(1);
  expect(rejected?.message.startsWith(message) ? message : rejected?.message).toBe(message);
  expect(message.startsWith(rejected?.path ?? 'nothing')).toBe(true);
});

test('a rejected issue is named where its id can be read', () => {
  const bad = { title: 5, state: 'Todo', labels: [] };
  const read = postedIssues(
    [API, { ...bad, id: 'ENG-4' }, { ...bad, url: API.url }, { ...bad, id: UUID }, { ...bad, id: '\0' }],
    {},
  );
  if (!read.ok) throw new Error(read.fault.message);
  expect(read.value.rejected.map(({ path, id }) => [path, id])).toEqual([
    ['[1]', 'ENG-4'],
    ['[2]', 'ENG-21'],
    ['[3]', undefined],
    ['[4]', undefined],
  ]);
});

test('odd encodings are put right, as they are on the board', () => {
  const title = 'A\0 \u202edoor\r\nthat \ud83d squeaks';
  const [issue] = read([{ ...API, title, description: 'half \ud83d', labels: ['b\u001b[2Jug'] }]);
  expect(issue).toMatchObject({ title: 'A door that \ufffd squeaks', body: 'half \ufffd', labels: ['bug'] });
});

test.each<[unknown, string]>([
  [['ENG-21'], '[0]: expected object, got "ENG-21"'],
  [{ data: { issues: { nodes: [{}] } } }, 'data.issues.nodes[0].title: is missing'],
  [{ content: texts({ issues: [{}] }) }, 'content[0].text.issues[0].title: is missing'],
  [
    { content: [{ type: 'text', text: 'No issues found' }] },
    'content[0].text: expected JSON, got "No issues found"',
  ],
  [{ content: [{ type: 'text', text: 5 }] }, 'content[0].text: expected string, got number 5'],
  [{ content: [{ type: 'image' }] }, 'content: has no text'],
  [{ content: texts([API]), isError: true }, 'isError: the tool has failed'],
  [
    { errors: [{ message: 'Too complex' }], data: { issues: { nodes: [API] } } },
    'errors: this answer has 1 error: "Too complex"',
  ],
  [
    {
      errors: [
        { message: 'No access', path: ['issues', 'nodes', 0] },
        { message: 'Too complex', path: ['issues'] },
      ],
      data: { issues: { nodes: [API] } },
    },
    'errors: this answer has 2 errors, the first: "No access"',
  ],
  [{ errors: [5], data: null }, 'errors: this answer has 1 error: an error without a message'],
  [new Array(8).fill(5), '[0]: expected object, got number 5; [1]: '],
  [
    { content: new Array(POSTED_MOST + 1).fill({ type: 'text' }) },
    'content: must be of length at most 10000',
  ],
  [{ data: null }, 'body: has no issues; expected a list of them, or one of issues, nodes, '],
  [{ data: { teams: { nodes: [] } } }, 'data: has no issues; '],
  [{ issues: 5 }, 'issues: expected issues, got number 5'],
  [5, 'body: expected issues, got number 5'],
  ['{"issues": []}', 'body: expected issues, got "{\\"issues\\": []}"'],
  [null, 'body: expected issues, got null'],
  [new Array(POSTED_MOST + 1).fill(API), 'body: must be of length at most 10000, got array of length 10001'],
])('what has no usable issue is refused with its place (%#)', (posted, message) => {
  const refused = postedIssues(posted, {});
  expect(refused).toMatchObject({ ok: false, fault: { code: 'input.invalid' } });
  if (!refused.ok)
    expect(refused.fault.message.startsWith(message) ? message : refused.fault.message).toBe(message);
});

test('what wraps itself without end is refused', () => {
  let posted: unknown = [];
  for (let depth = 0; depth < 100_000; depth += 1) posted = { data: posted };
  expect(postedIssues(posted, {})).toMatchObject({ ok: false });
});

/** Nonsense that looks like an answer here and there. */
const keys = fc.constantFrom(
  ...[
    'issues',
    'nodes',
    'data',
    'content',
    'type',
    'text',
    'title',
    'identifier',
    'id',
    'state',
    'status',
    'name',
  ],
  ...[
    'labels',
    'priority',
    'value',
    'relations',
    'blockedBy',
    'attachments',
    'url',
    '__proto__',
    'errors',
    'parent',
  ],
);
const leaves = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom('ENG-21', 'Todo', 'text', '[{}]', 'constructor', 'toString', '2026-11-16T12:00:00Z', UUID),
);
const { nonsense } = fc.letrec((tie) => ({
  nonsense: fc.oneof(
    { maxDepth: 6 },
    leaves,
    fc.array(tie('nonsense'), { maxLength: 4 }),
    fc.dictionary(keys, tie('nonsense'), { maxKeys: 5 }),
  ),
}));

test('nonsense never throws: it is read, or refused with a code of the catalogue and one short line', () => {
  assertProperty(
    fc.property(nonsense, (posted) => {
      const issues = postedIssues(posted, { Todo: ['Next'] });
      if (issues.ok) {
        for (const { id, column, labels } of issues.value.issues)
          expect([typeof id, typeof column, labels.every((label) => typeof label === 'string')]).toEqual([
            ...['string', 'string', true],
          ]);
      } else {
        expect(Object.keys(CATALOGUE)).toContain(issues.fault.code);
        expect(issues.fault.message).toMatch(/^[\x20-\x7e…]{1,2000}$/);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('an issue with one field of nonsense is read or refused at that field', () => {
  const fields = fc.constantFrom(...Object.keys({ ...API, ...MCP }));
  assertProperty(
    fc.property(fields, nonsense, (field, value) => {
      const issues = postedIssues([{ ...API, [field]: value }], {});
      if (!issues.ok)
        expect(issues.fault.message).toMatch(new RegExp(String.raw`^\[0\]\.(?:${field}|identifier)\b`));
    }),
    { numRuns: 2_000 },
  );
});
