import { expect, test } from 'vitest';
import { heardIn } from '../../../src/agents/codex/heard.ts';
import { isWork, Steps } from '../../../src/agents/codex/steps.ts';
import { RECORDED } from './recorded.ts';

function said(steps: Steps, ...names: (keyof typeof RECORDED)[]) {
  return names.flatMap((name) => {
    const heard = heardIn(RECORDED[name]);
    if (heard?.type === 'item.started') return steps.began(heard.item);
    return heard?.type === 'item.completed' ? steps.ended(heard.item) : [];
  });
}

test('words and thoughts are text, notices are nothing', () => {
  expect(said(new Steps(), 'notice', 'words', 'thinking')).toEqual([
    { type: 'text', text: 'will run' },
    { type: 'text', text: '**Planning**' },
  ]);
  expect(isWork({ id: 'i', type: 'error' })).toBe(false);
  expect(isWork({ id: 'i', type: 'reasoning' })).toBe(true);
});

test('commands and calls of tools begin and end, and a failed one is said to have failed', () => {
  const lines = said(new Steps(), 'commandBegins', 'commandFails', 'callBegins', 'callEnds');
  const ids = lines.flatMap((line) => ('id' in line ? line.id : []));
  expect(lines).toEqual([
    { type: 'tool_started', tool: 'shell', id: ids[0], detail: "/bin/bash -c 'exit 3'" },
    { type: 'tool_ended', id: ids[0], failed: true },
    { type: 'tool_started', tool: 'mcp__legion__done', id: ids[2] },
    { type: 'tool_ended', id: ids[2], failed: false, result: expect.any(String) },
  ]);
  expect(ids[0]).not.toBe(ids[2]);
});

test('a step of which only the end is told has a beginning, too', () => {
  expect(said(new Steps(), 'change')).toMatchObject([
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
  ['a call that failed', { type: 'mcp_tool_call', error: { message: 'refused' } }, 'refused'],
  ['a search', { type: 'web_search' }, undefined],
])('what %s gave back is its result', (_name, item, result) => {
  const line = JSON.stringify({ type: 'item.completed', item: { id: 'i', status: 'completed', ...item } });
  const heard = heardIn(line);
  if (heard?.type !== 'item.completed') throw new Error('it was not understood');
  expect(new Steps().ended(heard.item).at(-1)).toEqual({
    ...{ type: 'tool_ended', id: expect.any(String), failed: false },
    ...(result === undefined ? {} : { result }),
  });
});

test('what is open at the end of the turn is ended once, as failed', () => {
  const steps = new Steps();
  const [begun] = said(steps, 'commandBegins', 'callBegins', 'callEnds');
  const id = begun !== undefined && 'id' in begun ? begun.id : '';
  expect(steps.cutShort()).toEqual([{ type: 'tool_ended', id, failed: true }]);
  expect(steps.cutShort()).toEqual([]);
});

test('two processes never use one id, although both count from 0', () => {
  const [one] = said(new Steps(), 'commandBegins');
  const [other] = said(new Steps(), 'commandBegins');
  expect(one).not.toEqual(other);
});
