/** Tests the issue page's handling of text: escape sequences, patches, transcripts, file trees. */
import { expect, test } from 'vitest';
import type { WorkerView } from '../../../src/protocol/workers.ts';
import { listAvailableActions } from '../../../web/src/pages/issue/actions/available-actions.ts';
import { parsePatchRows } from '../../../web/src/pages/issue/diff/patch.ts';
import { type DiffFile, selectInitiallyFolded } from '../../../web/src/pages/issue/diff/rows.ts';
import { buildTree } from '../../../web/src/pages/issue/diff/tree.ts';
import { parseAgentLine } from '../../../web/src/pages/issue/transcript/agent-line.ts';
import { Transcript } from '../../../web/src/pages/issue/transcript/transcript.ts';
import { toPlainText } from '../../../web/src/text/plain.ts';
import { formatLines } from './issue-log.ts';
import { createRunningIssue, createWorker } from './running-issue.ts';

test.each([
  ['colours', '\u001b[1;31mred\u001b[0m', 'red'],
  ['colours introduced by a single character', '\u009b31mred', 'red'],
  ['links', '\u001b]8;;http://a.example\u001b\\link\u001b]8;;\u0007', 'link'],
  ['an unterminated title, up to the end of its line', '\u001b]0;title\nnext', '\nnext'],
  ['a device string', 'a\u001bPqdata\u001b\\b', 'ab'],
  ['a charset', '\u001b(Btext', 'text'],
  ['an escape at the very end', 'text\u001b', 'text'],
  ['a sequence at the very end', 'text\u001b[3', 'text'],
  ['carriage returns that overwrite a line', '10 %\r100 %\r\nnext', '10 %\n100 %\nnext'],
  ['other control characters', 'a\u0000b\u0008c\td', 'abc\td'],
  ['text-direction overrides', 'exe.\u202Egnp', 'exe.·gnp'],
  ['nothing from text without control sequences', 'plain ☺ 👩‍👩‍👧 text', 'plain ☺ 👩‍👩‍👧 text'],
])('cleaning of terminal output removes %s and keeps the other text', (_what, given, expected) => {
  expect(toPlainText(given)).toBe(expected);
});

test.each([
  '{"type":"text"}',
  '{"type":"text","text":5}',
  '{"type":"constructor"}',
  '{"type":"tool_started","tool":"a","id":"b","detail":{}}',
  '{"type":"text","text":"cut off',
  '[1]',
  'null',
])('does not parse %s as a line of agent output', (line) => {
  expect(parseAgentLine(line)).toBeUndefined();
});

test('assigns line numbers to both sides of a patch', () => {
  expect(parsePatchRows('@@ -3,2 +3,2 @@ here\n same\n-old\n+new\n\\ No newline at end of file\n')).toEqual([
    { kind: 'hunk', text: 'here' },
    { kind: 'line', sign: ' ', before: 3, after: 3, text: 'same' },
    { kind: 'line', sign: '-', before: 4, after: null, text: 'old' },
    { kind: 'line', sign: '+', before: null, after: 4, text: 'new' },
    { kind: 'note', text: 'No newline at end of file' },
  ]);
});

test('the tree of changed files shows a directory and its only subdirectory as one entry', () => {
  const tree = buildTree(['a/b/c/one.ts', 'a/b/c/two.ts', 'top.ts'].map(changed));
  expect(tree.files.map(({ path }) => path)).toEqual(['top.ts']);
  expect(tree.folders.map(({ name, files }) => [name, files.length])).toEqual([['a/b/c', 2]]);
});

test('initially folds files that are generated or very long', () => {
  const long = { ...changed('src/long.ts'), additions: 5_000 };
  expect([...selectInitiallyFolded([changed('package-lock.json'), changed('src/a.ts'), long])]).toEqual([
    'package-lock.json',
    'src/long.ts',
  ]);
});

test('a transcript joins lines that arrive in pieces, and adds the result of a tool to the tool call with the same id', () => {
  const transcript = new Transcript();
  const text = formatLines(
    { type: 'tool_started', tool: 'Bash', id: '1' },
    { type: 'tool_started', tool: 'Read', id: '2' },
    { type: 'tool_ended', id: '1', failed: true, result: '\u001b[31mred\u001b[0m\n' },
  );
  for (const char of `${text}one\ntwo\n`) transcript.take(char, false);
  expect(transcript.items).toMatchObject([
    { kind: 'tool', tool: 'Bash', outcome: 'failed', result: 'red' },
    { kind: 'tool', tool: 'Read', outcome: 'running' },
    { kind: 'raw', text: 'one\ntwo', lines: 2 },
  ]);
});

test('a transcript keeps only the newest output, but twice as much of it while the reader has scrolled up', () => {
  const line = formatLines({ type: 'text', text: 'x'.repeat(5_000) });
  const read = new Transcript();
  const held = new Transcript();
  for (let count = 0; count < 2_000; count += 1) {
    read.take(line, false);
    held.take(line, true);
  }
  expect(held.leftOut).toBe(0);
  expect(read.leftOut).toBeGreaterThan(500);
  expect(read.items.length * 5_000).toBeLessThanOrEqual(6_000_000);
  expect(read.items.at(-1)?.number).toBe(1_999);
});

test('a transcript splits a very long text into rows without losing any of it', () => {
  const transcript = new Transcript();
  const text = Array.from({ length: 1_000 }, (_, index) => `line ${index}`).join('\n');
  transcript.take(formatLines({ type: 'text', text }), false);
  const rows = transcript.items.map((item) => (item.kind === 'said' ? item.text : ''));
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.join('\n')).toBe(text);
});

test('lists the available actions of an issue, starting with those that the issue is waiting for', () => {
  const { issue, comments, pullRequest } = createRunningIssue();
  const listActions = (labels: string[], workers: WorkerView[], hasQuestion = false) =>
    listAvailableActions(
      { issue: { ...issue, labels }, comments, pullRequest, workers },
      { hasQuestion, isLegionHeld: false },
    ).map(({ action }) => action);
  expect(listActions([], [])).toEqual(['advance', 'pause', 'edit', 'dispatch', 'move']);
  expect(
    listActions(['needs-approval', 'legion-paused'], [createWorker('test', { status: 'paused' })], true),
  ).toEqual([
    'answer',
    'approve',
    'reject',
    'resume',
    'reset',
    'prompt',
    'advance',
    'edit',
    'dispatch',
    'move',
  ]);
  expect(listActions([], [createWorker('test', { crashes: 1 })])).toEqual([
    'prompt',
    'advance',
    'pause',
    'edit',
    'dispatch',
    'reset',
    'stop',
    'restart',
    'move',
  ]);
});

test.each([
  ['Retro', 'Approve merge…'],
  ['Todo', 'Approve a new start…'],
] as const)('for a rolled-back issue in %s, the approval is labelled “%s”', (status, says) => {
  const { issue, ...rest } = createRunningIssue();
  const labels = ['rollback', 'needs-approval'];
  const available = listAvailableActions(
    { ...rest, issue: { ...issue, status, labels } },
    { hasQuestion: false, isLegionHeld: false },
  );
  expect(available.find(({ action }) => action === 'approve')?.label).toBe(says);
});

function changed(path: string): DiffFile {
  return { path, change: 'changed', additions: 1, deletions: 1, patch: '', cut: false };
}
