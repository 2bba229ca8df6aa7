/**
 * Tests that real responses of Linear's API and MCP server are parsed in every shape, and that
 * malformed data is reported with its path.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CATALOGUE } from '../../../../src/core/model/fault.ts';
import { MAX_POSTED_ISSUES } from '../../../../src/integrations/linear/tracker/find-posted-issues.ts';
import { parsePostedIssues } from '../../../../src/integrations/linear/tracker/posted-issues.ts';
import { assertProperty } from '../../../support/property.ts';

const UUID = '2174add1-f7c8-44e3-bbf3-2d60b5ea8bc9';

/** An issue as the API returns it. */
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

/** The same issue as the MCP server returns it. */
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
  const issues = parsePostedIssues(posted, names);
  if (!issues.ok) throw new Error(issues.fault.message);
  expect(issues.value.rejected).toEqual([]);
  return issues.value.issues;
}
const texts = (...parts: unknown[]) => parts.map((part) => ({ type: 'text', text: JSON.stringify(part) }));

test.each<[string, unknown]>([
  ['a bare list', [API]],
  ['Legion’s own format', { backend: 'linear', issues: [API] }],
  ['`issues` with nodes', { issues: { nodes: [API], pageInfo: {} } }],
  ['nodes', { nodes: [API] }],
  ['a GraphQL response', { data: { issues: { nodes: [API] } } }],
  ['a response for a team', { data: { team: { id: UUID, name: 'Engineering', issues: { nodes: [API] } } } }],
  ['a response for a project', { data: { project: { name: 'Doors', issues: { nodes: [API] } } } }],
  ['a response for one issue', { data: { issue: API } }],
  ['a response with an empty error list', { data: { issues: { nodes: [API] } }, errors: [] }],
  ['one issue', API],
])('reads the API’s issue from %s', (_, posted) => {
  expect(read(posted)).toEqual([{ ...READ, ...SOURCE }]);
});

test.each<[string, unknown]>([
  ['a bare list', [MCP]],
  ['`issues`', { issues: [MCP], hasNextPage: false }],
  ['a tool result', { content: texts({ issues: [MCP] }) }],
  ['a tool result with a list', { content: texts([MCP]), isError: false }],
  ['a tool result with one issue', { content: texts(MCP) }],
  [
    'a tool result with several parts',
    { content: [{ type: 'image', data: '' }, ...texts([], { issues: [MCP] })] },
  ],
  ['a JSON-RPC response', { jsonrpc: '2.0', id: 1, result: { content: texts([MCP]) } }],
  ['a result with structured content', { structuredContent: { issues: [MCP] } }],
  ['the bare parts of a tool result', texts({ issues: [MCP] })],
  ['one issue', MCP],
])('reads the MCP server’s issue from %s', (_, posted) => {
  expect(read(posted)).toEqual([READ]);
});

test.each<[string, object, object]>([
  ['a state given as text', { state: 'In Review' }, { column: 'In Review' }],
  ['a status given as an object', { state: undefined, status: { name: 'Testing' } }, { column: 'Testing' }],
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
    'a separate status type',
    { state: 'Nope', statusType: 'canceled' },
    { column: 'Canceled', openBlockers: [] },
  ],
  ['an unknown state type', { state: { name: 'Todo', type: 'constructor' } }, { column: 'Todo' }],
  ['no priority', { priority: null }, { priority: 0 }],
  ['a priority by name', { priority: 'Urgent' }, { priority: 1 }],
  ['no description', { description: null }, { body: '' }],
  ['labels as a list of objects', { labels: [{ name: 'bug' }] }, { labels: ['bug'] }],
  ['no labels', { labels: { nodes: [] } }, { labels: [] }],
  ['attachments given as text', { attachments: ['https://x.example/1'] }, { links: ['https://x.example/1'] }],
  ['blockers by name', { inverseRelations: undefined, blockedBy: ['ENG-9'] }, { openBlockers: ['ENG-9'] }],
  ['an empty list of blockers', { inverseRelations: { nodes: [] } }, { openBlockers: [] }],
])('reads %s', (_, change, expected) => {
  expect(read([{ ...API, ...change }])).toEqual([{ ...READ, ...SOURCE, ...expected }]);
});

test('omits fields that were not posted instead of reading them as empty', () => {
  const least = { id: UUID, url: API.url, title: 'A door', state: 'Todo', labels: [] };
  expect(read([least])).toEqual([{ id: 'ENG-21', title: 'A door', column: 'Todo', labels: [], ...SOURCE }]);
});

test('skips archived and trashed issues; of duplicates, keeps the last one', () => {
  const gone = [
    { ...API, identifier: 'ENG-22', archivedAt: '2026-01-01T00:00:00.000Z' },
    { ...API, identifier: 'ENG-23', trashed: true },
  ];
  const issues = read([...gone, API, { ...API, title: 'Later' }]);
  expect(issues.map(({ id, title }) => [id, title])).toEqual([['ENG-21', 'Later']]);
});

test('finds no issues in an empty response', () => {
  for (const posted of [[], { issues: [] }, { data: { issues: { nodes: [] } } }, { content: texts([]) }])
    expect(read(posted)).toEqual([]);
});

test('reads the maximum number of issues', () => {
  const many = Array.from({ length: MAX_POSTED_ISSUES }, (_, index) => ({ ...MCP, id: `ENG-${index + 1}` }));
  expect(read({ issues: many })).toHaveLength(MAX_POSTED_ISSUES);
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
  [
    four({ identifier: 'nonsense' }),
    'issues[3].identifier: is not an identifier such as ENG-21, got "nonsense"',
  ],
  [four({ identifier: undefined, url: undefined }), 'issues[3].identifier: is missing'],
  [four({ id: 5 }), 'issues[3].id: expected string, got number 5'],
  [four({ priority: 9 }), 'issues[3].priority: expected one of 0, 1, 2, 3, 4, got number 9'],
  [four({ priority: { value: 'a' } }), 'issues[3].priority.value: expected one of 0, 1, 2, 3, 4, got "a"'],
  [four({ priority: 'Soon' }), 'issues[3].priority: is not a Linear priority, got "Soon"'],
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
])(
  'rejects a malformed issue, states the path of the error, and reads the other issues (%#)',
  (posted, message) => {
    const read = parsePostedIssues(posted, {});
    if (!read.ok) throw new Error(read.fault.message);
    expect(read.value.issues).toEqual([{ ...READ, ...SOURCE }]);
    const [rejected] = read.value.rejected;
    expect(read.value.rejected).toHaveLength(1);
    expect(rejected?.message.startsWith(message) ? message : rejected?.message).toBe(message);
    expect(message.startsWith(rejected?.path ?? 'nothing')).toBe(true);
  },
);

test('includes the id of a rejected issue in the error, if the id can be read', () => {
  const bad = { title: 5, state: 'Todo', labels: [] };
  const read = parsePostedIssues(
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

test('cleans up odd encodings in the same way as for issues read from the board', () => {
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
  [{ content: [{ type: 'image' }] }, 'content: contains no text'],
  [{ content: texts([API]), isError: true }, 'isError: the tool failed'],
  [
    { errors: [{ message: 'Too complex' }], data: { issues: { nodes: [API] } } },
    'errors: the response has 1 error: "Too complex"',
  ],
  [
    {
      errors: [
        { message: 'No access', path: ['issues', 'nodes', 0] },
        { message: 'Too complex', path: ['issues'] },
      ],
      data: { issues: { nodes: [API] } },
    },
    'errors: the response has 2 errors, the first: "No access"',
  ],
  [{ errors: [5], data: null }, 'errors: the response has 1 error: an error without a message'],
  [new Array(8).fill(5), '[0]: expected object, got number 5; [1]: '],
  [
    { content: new Array(MAX_POSTED_ISSUES + 1).fill({ type: 'text' }) },
    'content: must be of length at most 10000',
  ],
  [{ data: null }, 'body: contains no issues. Expected a list or one of issues, nodes, '],
  [{ data: { teams: { nodes: [] } } }, 'data: contains no issues.'],
  [{ issues: 5 }, 'issues: expected issues, got number 5'],
  [5, 'body: expected issues, got number 5'],
  ['{"issues": []}', 'body: expected issues, got "{\\"issues\\": []}"'],
  [null, 'body: expected issues, got null'],
  [
    new Array(MAX_POSTED_ISSUES + 1).fill(API),
    'body: must be of length at most 10000, got array of length 10001',
  ],
])(
  'if a post contains no usable issue, rejects it and states the path of the error (%#)',
  (posted, message) => {
    const refused = parsePostedIssues(posted, {});
    expect(refused).toMatchObject({ ok: false, fault: { code: 'input.invalid' } });
    if (!refused.ok)
      expect(refused.fault.message.startsWith(message) ? message : refused.fault.message).toBe(message);
  },
);

test('rejects endless nesting', () => {
  let posted: unknown = [];
  for (let depth = 0; depth < 100_000; depth += 1) posted = { data: posted };
  expect(parsePostedIssues(posted, {})).toMatchObject({ ok: false });
});

/** Random data that partly resembles a response. */
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

test('never throws for random data: reads it, or rejects it with a known code and a one-line message', () => {
  assertProperty(
    fc.property(nonsense, (posted) => {
      const issues = parsePostedIssues(posted, { Todo: ['Next'] });
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

test('reads an issue with one random field, or rejects it with the path of that field', () => {
  const fields = fc.constantFrom(...Object.keys({ ...API, ...MCP }));
  assertProperty(
    fc.property(fields, nonsense, (field, value) => {
      const issues = parsePostedIssues([{ ...API, [field]: value }], {});
      if (!issues.ok)
        expect(issues.fault.message).toMatch(new RegExp(String.raw`^\[0\]\.(?:${field}|identifier)\b`));
    }),
    { numRuns: 2_000 },
  );
});
