/** What the page of an issue makes of text: terminals' codes, patches, transcripts, handles of files. */
import { expect, test } from 'vitest';
import type { WorkerView } from '../../../src/protocol/operator.ts';
import { offersOf } from '../../../web/src/pages/issue/actions/available-actions.ts';
import { patchRows } from '../../../web/src/pages/issue/diff/patch.ts';
import { type DiffFile, foldedAtFirst } from '../../../web/src/pages/issue/diff/rows.ts';
import { treeOf } from '../../../web/src/pages/issue/diff/tree.ts';
import { agentLineIn } from '../../../web/src/pages/issue/transcript/agent-line.ts';
import { Transcript } from '../../../web/src/pages/issue/transcript/transcript.ts';
import { plain } from '../../../web/src/text/plain.ts';
import { linesOf } from './issue-log.ts';
import { issueAtWork, workerOf } from './running-issue.ts';

test.each([
  ['colours', '\u001b[1;31mred\u001b[0m', 'red'],
  ['colours in one character', '\u009b31mred', 'red'],
  ['links', '\u001b]8;;http://a.example\u001b\\link\u001b]8;;\u0007', 'link'],
  ['a title without an end, to the end of its line', '\u001b]0;title\nnext', '\nnext'],
  ['a device string', 'a\u001bPqdata\u001b\\b', 'ab'],
  ['a charset', '\u001b(Btext', 'text'],
  ['an escape at the very end', 'text\u001b', 'text'],
  ['a sequence at the very end', 'text\u001b[3', 'text'],
  ['lines that were written over', '10 %\r100 %\r\nnext', '10 %\n100 %\nnext'],
  ['other control characters', 'a\u0000b\u0008c\td', 'abc\td'],
  ['marks that turn text round', 'exe.\u202Egnp', 'exe.·gnp'],
  ['text without any', 'plain ☺ 👩‍👩‍👧 text', 'plain ☺ 👩‍👩‍👧 text'],
])('takes out %s and leaves the text', (_what, given, expected) => {
  expect(plain(given)).toBe(expected);
});

test.each([
  '{"type":"text"}',
  '{"type":"text","text":5}',
  '{"type":"constructor"}',
  '{"type":"tool_started","tool":"a","id":"b","detail":{}}',
  '{"type":"text","text":"cut off',
  '[1]',
  'null',
])('takes %s for no line of an agent', (line) => {
  expect(agentLineIn(line)).toBeUndefined();
});

test('numbers the lines of both sides', () => {
  expect(patchRows('@@ -3,2 +3,2 @@ here\n same\n-old\n+new\n\\ No newline at end of file\n')).toEqual([
    { kind: 'hunk', text: 'here' },
    { kind: 'line', sign: ' ', before: 3, after: 3, text: 'same' },
    { kind: 'line', sign: '-', before: 4, after: null, text: 'old' },
    { kind: 'line', sign: '+', before: null, after: 4, text: 'new' },
    { kind: 'note', text: 'No newline at end of file' },
  ]);
});

test('joins folders with nothing but a folder in them', () => {
  const tree = treeOf(['a/b/c/one.ts', 'a/b/c/two.ts', 'top.ts'].map(changed));
  expect(tree.files.map(({ path }) => path)).toEqual(['top.ts']);
  expect(tree.folders.map(({ name, files }) => [name, files.length])).toEqual([['a/b/c', 2]]);
});

test('folds at first what programs wrote and what is very long', () => {
  const long = { ...changed('src/long.ts'), additions: 5_000 };
  expect([...foldedAtFirst([changed('package-lock.json'), changed('src/a.ts'), long])]).toEqual([
    'package-lock.json',
    'src/long.ts',
  ]);
});

test('puts together lines that come in pieces, and settles a tool by its id', () => {
  const transcript = new Transcript();
  const text = linesOf(
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

test('keeps the newest of what is too much, and twice as much while somebody reads further up', () => {
  const line = linesOf({ type: 'text', text: 'x'.repeat(5_000) });
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

test('cuts a text that is higher than a window into rows and loses nothing of it', () => {
  const transcript = new Transcript();
  const text = Array.from({ length: 1_000 }, (_, index) => `line ${index}`).join('\n');
  transcript.take(linesOf({ type: 'text', text }), false);
  const rows = transcript.items.map((item) => (item.kind === 'said' ? item.text : ''));
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.join('\n')).toBe(text);
});

test('offers what can be done now, and first what the issue waits for', () => {
  const { issue, comments, pullRequest } = issueAtWork();
  const offered = (labels: string[], workers: WorkerView[], hasQuestion = false) =>
    offersOf(
      { issue: { ...issue, labels }, comments, pullRequest, workers },
      { hasQuestion, isLegionHeld: false },
    ).map(({ deed }) => deed);
  expect(offered([], [])).toEqual(['advance', 'pause', 'edit', 'dispatch', 'move']);
  expect(
    offered(['needs-approval', 'legion-paused'], [workerOf('test', { status: 'paused' })], true),
  ).toEqual(['answer', 'approve', 'resume', 'reset', 'prompt', 'advance', 'edit', 'dispatch', 'move']);
  expect(offered([], [workerOf('test', { crashes: 1 })])).toEqual([
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
  ['Retro', 'Approve the merge…'],
  ['Todo', 'Approve a new start…'],
] as const)('names the approval of a rolled-back issue in %s as the inbox does', (status, says) => {
  const { issue, ...rest } = issueAtWork();
  const labels = ['rollback', 'needs-approval'];
  const offers = offersOf(
    { ...rest, issue: { ...issue, status, labels } },
    { hasQuestion: false, isLegionHeld: false },
  );
  expect(offers.find(({ deed }) => deed === 'approve')?.says).toBe(says);
});

function changed(path: string): DiffFile {
  return { path, change: 'changed', additions: 1, deletions: 1, patch: '', cut: false };
}
