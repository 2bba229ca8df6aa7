import { expect, test } from 'vitest';
import { ItemTranscript, isWork, parseCodexLine } from '../../../src/agents/codex/steps.ts';
import { RECORDED } from './recorded.ts';

function said(steps: ItemTranscript, ...names: (keyof typeof RECORDED)[]) {
  return names.flatMap((name) => {
    const heard = parseCodexLine(RECORDED[name]);
    if (heard?.type === 'item.started') return steps.recordStarted(heard.item);
    return heard?.type === 'item.completed' ? steps.recordCompleted(heard.item) : [];
  });
}

test('messages and thoughts are reported as text, and notices are ignored', () => {
  expect(said(new ItemTranscript(), 'notice', 'words', 'thinking')).toEqual([
    { type: 'text', text: 'will run' },
    { type: 'text', text: '**Planning**' },
  ]);
  expect(isWork({ id: 'i', type: 'error' })).toBe(false);
  expect(isWork({ id: 'i', type: 'reasoning' })).toBe(true);
});

test('commands and tool calls have a start and an end, and failed ones are marked', () => {
  const lines = said(new ItemTranscript(), 'commandBegins', 'commandFails', 'callBegins', 'callEnds');
  const ids = lines.flatMap((line) => ('id' in line ? line.id : []));
  expect(lines).toEqual([
    { type: 'tool_started', tool: 'shell', id: ids[0], detail: "/bin/bash -c 'exit 3'" },
    { type: 'tool_ended', id: ids[0], failed: true },
    { type: 'tool_started', tool: 'mcp__legion__done', id: ids[2] },
    { type: 'tool_ended', id: ids[2], failed: false, result: expect.any(String) },
  ]);
  expect(ids[0]).not.toBe(ids[2]);
});

test('adds the missing start of a step for which only the end was reported', () => {
  expect(said(new ItemTranscript(), 'change')).toMatchObject([
    { type: 'tool_started', tool: 'file_change' },
    { type: 'tool_ended', failed: false, result: 'add /w/new.txt' },
  ]);
});

test.each([
  ['a command', { type: 'command_execution', aggregated_output: 'a\nb\n' }, 'a\nb\n'],
  [
    'a call',
    { type: 'mcp_tool_call', result: { content: [{ type: 'text', text: 'one' }, { type: 'image' }] } },
    'one',
  ],
  ['a failed call', { type: 'mcp_tool_call', error: { message: 'refused' } }, 'refused'],
  ['a search', { type: 'web_search' }, undefined],
])('the output of %s is its result', (_name, item, result) => {
  const line = JSON.stringify({ type: 'item.completed', item: { id: 'i', status: 'completed', ...item } });
  const heard = parseCodexLine(line);
  if (heard?.type !== 'item.completed') throw new Error('it was not understood');
  expect(new ItemTranscript().recordCompleted(heard.item).at(-1)).toEqual({
    type: 'tool_ended',
    id: expect.any(String),
    failed: false,
    ...(result === undefined ? {} : { result }),
  });
});

test('at the end of the turn, ends each tool that is still open exactly once and marks it as failed', () => {
  const steps = new ItemTranscript();
  const [begun] = said(steps, 'commandBegins', 'callBegins', 'callEnds');
  const id = begun !== undefined && 'id' in begun ? begun.id : '';
  expect(steps.closeOpenTools()).toEqual([{ type: 'tool_ended', id, failed: true }]);
  expect(steps.closeOpenTools()).toEqual([]);
});

test('tool ids of two processes never collide, although both processes count from 0', () => {
  const [one] = said(new ItemTranscript(), 'commandBegins');
  const [other] = said(new ItemTranscript(), 'commandBegins');
  expect(one).not.toEqual(other);
});
