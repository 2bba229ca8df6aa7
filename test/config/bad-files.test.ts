/**
 * Tests the errors for an invalid `legion.yaml`: each states the line, the column, the value and
 * the valid values.
 */
import { expect, test } from 'vitest';
import { refusalOf, resolving } from './resolving.ts';

const TOP =
  'legion, short_id, backend, forge, port, auto_advance, repos, extra_projects, github, linear, authors, statuses, agents, scripted, limits, approvals, ' +
  'comments, polling, health, budgets, dispatch, workspaces, credentials';
const DURATION = 'a duration of at least 1s, such as 90s, 5m, 2h or 1d';

const INVALID: readonly (readonly [title: string, text: string, ...lines: string[]])[] = [
  ['an unknown key', 'limts: 3', `1:1: unknown key "limts" (did you mean "limits"?); allowed here: ${TOP}`],
  ['an unknown key without a similar one', 'zebra: 3', `1:1: unknown key "zebra"; allowed here: ${TOP}`],
  [
    'a nested unknown key',
    '# ours\nlimits:\n  perMode: 3\n',
    '3:3: limits: unknown key "perMode" (did you mean "per_mode"?); allowed here: workers, per_mode, respawns, rounds, check_wait',
  ],
  [
    'the alias of a mode',
    'agents: { finish: { agent: codex } }',
    '1:11: agents: unknown key "finish" (did you mean "merge"?); allowed here: default, architect, plan, implement, test, review, merge',
  ],
  [
    'a misspelt status',
    'statuses:\n  in progress: Doing\n',
    '2:3: statuses: unknown key "in progress" (did you mean "In Progress"?); allowed here: Triage, Icebox, Backlog, Todo, In Progress, Testing, Needs Review, Retro, Done',
  ],
  [
    'a word instead of a number',
    'limits:\n  workers: ten',
    '2:12: limits.workers: expected a whole number from 1 to 1000, got "ten"',
  ],
  ['a number out of range', 'port: 65536', '1:7: port: expected a whole number from 0 to 65535, got 65536'],
  [
    'a fraction instead of a whole number',
    'limits: {workers: 1.5}',
    '1:19: limits.workers: expected a whole number from 1 to 1000, got 1.5',
  ],
  [
    'infinity',
    'budgets: {warn_at: .inf}',
    '1:20: budgets.warn_at: expected a share above 0 and up to 1, such as 0.8, got Infinity',
  ],
  ['an invalid choice', 'backend: jira', '1:10: backend: expected local, github or linear, got "jira"'],
  [
    'a worker variable that loads code into programs',
    'credentials:\n  worker_env: [NPM_TOKEN, LD_PRELOAD]\n',
    '2:27: credentials.worker_env[1]: expected a variable such as MY_KEY, not one that makes programs load code, got "LD_PRELOAD"',
  ],
  [
    'a key variable that belongs to Legion',
    'agents: { plan: { agent: codex, key_variable: LEGION_WORKER_TOKEN } }',
    '1:47: agents.plan.key_variable: expected a variable such as MY_KEY, not one that makes programs load code, got "LEGION_WORKER_TOKEN"',
  ],
  ['YAML 1.1 booleans', 'auto_advance: yes', '1:15: auto_advance: expected true or false, got "yes"'],
  ['a key without a value', 'port:\n', '1:6: port: expected a whole number from 0 to 65535, got nothing'],
  [
    'an unknown unit',
    'limits: {check_wait: 5 weeks}',
    `1:22: limits.check_wait: expected ${DURATION}, got "5 weeks"`,
  ],
  ['a negative duration', 'polling: {interval: -5}', `1:21: polling.interval: expected ${DURATION}, got -5`],
  [
    'a duration below the minimum',
    'polling: {interval: 0.5s}',
    `1:21: polling.interval: expected ${DURATION}, got "0.5s"`,
  ],
  [
    'a duration above the maximum',
    'limits: {check_wait: 99999d}',
    `1:22: limits.check_wait: expected ${DURATION}, got "99999d"`,
  ],
  [
    'a value instead of a section',
    'limits: 3',
    '1:9: limits: expected a mapping with workers, per_mode, respawns, rounds, check_wait, got 3',
  ],
  [
    'a list instead of a section',
    'approvals: [auto]',
    '1:12: approvals: expected a mapping with architect, merge, got a list of 1',
  ],
  [
    'a list instead of the file’s mapping',
    '- legion: a\n',
    `1:1: expected a mapping with ${TOP}, got a list of 1`,
  ],
  [
    'text instead of the file’s mapping',
    'Dear diary',
    `1:1: expected a mapping with ${TOP}, got text of 10 characters`,
  ],
  [
    'one invalid item of a list',
    'extra_projects:\n  - a/1\n  - b\n',
    '3:5: extra_projects[1]: expected a GitHub owner/project-number, got "b"',
  ],
  [
    'a repository that is a path',
    'repos:\n  - ../secrets',
    '2:5: repos[0].repo: expected owner/name or host/owner/name, got "../secrets"',
  ],
  [
    'a repository without a name',
    'repos:\n  - path: /src',
    '2:5: repos[0].repo: expected owner/name or host/owner/name, but it is missing',
  ],
  [
    'a relative path',
    'workspaces: {root: work}',
    '1:20: workspaces.root: expected an absolute path, or one that begins with ~/, got "work"',
  ],
  [
    'an id with a parent path',
    'legion: ../up',
    '1:9: legion: expected a name, a GitHub owner/project-number or the UUID of a Linear team, got "../up"',
  ],
  [
    'control characters in a value',
    'agents: {plan: {model: "\\e[31m"}}',
    '1:24: agents.plan.model: expected the name of a model, got "\\u001b[31m"',
  ],
  [
    'a pasted secret',
    'credentials:\n  linear: {api_key: lin_api_123}',
    '2:21: credentials.linear.api_key: expected env:VARIABLE or file:/absolute/path, got text of 11 characters',
  ],
  [
    'a secret instead of a section',
    'credentials:\n  linear: lin_api_123',
    '2:11: credentials.linear: expected a mapping with api_key, access_token, got text of 11 characters',
  ],
  [
    'two credentials for one account',
    'credentials:\n  linear: {api_key: env:A, access_token: env:B}',
    '2:28: credentials.linear.access_token: expected this or credentials.linear.api_key, but both are set',
  ],
  [
    'conflicting values',
    'legion: me\nbackend: github\ncredentials: {github: {app_id: 7}}',
    '1:1: legion: expected a GitHub owner/project-number because backend is github (legion.yaml:2:1), got "me"',
    '3:24: credentials.github.app_id: expected credentials.github.private_key as well, but it is missing',
  ],
  [
    'several problems, in file order',
    'port: x\nlimits:\n  workers: 0\n  respawns: -1\nforge: gitlab\n',
    '1:7: port: expected a whole number from 0 to 65535, got "x"',
    '3:12: limits.workers: expected a whole number from 1 to 1000, got 0',
    '4:13: limits.respawns: expected a whole number from 0 to 100, got -1',
    '5:8: forge: expected local or github, got "gitlab"',
  ],
];

test.each(INVALID)('reports %s', (_, text, ...lines) => {
  const { code, message } = refusalOf(resolving(text));
  expect(message.split('\n')).toEqual(lines.map((line) => `legion.yaml:${line}`));
  expect(code).toBe('config.invalid');
});

test('shows the first five problems and says how many more there are', () => {
  const text = Array.from({ length: 12 }, (_, number) => `unknown${number}: 1`).join('\n');
  const lines = refusalOf(resolving(text)).message.split('\n');
  expect(lines).toHaveLength(6);
  expect(lines.at(4)).toMatch(/^legion\.yaml:5:1: unknown key "unknown4"/);
  expect(lines.at(5)).toBe('and 7 more');
});

test('reports a column that is assigned to two statuses', () => {
  const { code, message } = refusalOf(resolving('statuses:\n  Todo: Ready\n  Backlog: [Later, " ready"]\n'));
  expect(code).toBe('config.columns_ambiguous');
  expect(message).toBe('legion.yaml:2:3: statuses.Todo: the column "Ready" already belongs to Backlog');
});

test('quotes and shortens a hostile key or value', () => {
  const { message } = refusalOf(
    resolving(`"\\e]0;owned\\a\\u202e${'x'.repeat(500)}": 1\nbackend: "\\u202eevil"`),
  );
  expect(message).toMatch(/^[\x20-\x7e…\n]*$/);
  expect(message.split('\n')[0]?.length).toBeLessThan(400);
});
