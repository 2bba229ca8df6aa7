/** Parts of messages become lines, each once. */
import { expect, test } from 'vitest';
import type { Part } from '../../../src/agents/opencode/events.ts';
import { transcribe } from '../../../src/agents/opencode/transcript.ts';
import type { AgentLine } from '../../../src/protocol/agent-line.ts';

type Tool = Extract<Part, { type: 'tool' }>;

function told(...parts: readonly (Part | readonly [Part, boolean])[]): AgentLine[] {
  const lines: AgentLine[] = [];
  const transcript = transcribe((line) => lines.push(line));
  for (const part of parts) {
    if ('type' in part) transcript.take(part, true);
    else transcript.take(...part);
  }
  transcript.end();
  return lines;
}

function text(id: string, end?: number): Part {
  return { type: 'text', id, text: `text of ${id}`, time: end === undefined ? {} : { end } };
}

function tool(status: Tool['state']['status'], more: Partial<Tool['state']> = {}): Tool {
  return { type: 'tool', callID: 'call', tool: 'bash', state: { status, ...more } };
}

const step: Part = {
  ...{ type: 'step-finish', id: 'step', cost: 0.00013 },
  tokens: { input: 60, output: 7, reasoning: 3, cache: { read: 40, write: 5 } },
};

test('a text is said when it is whole, and only once; a prompt and the words of a helper session are not', () => {
  const prompt: Part = { type: 'text', id: 'prompt', text: 'do it' };
  expect(told(prompt, text('a'), text('a', 2), text('a', 2), [text('b', 3), false])).toEqual([
    { type: 'text', text: 'text of a' },
  ]);
});

test('a tool starts when its input is there and ends once', () => {
  const input = { command: 'npm test', description: 'runs tests' };
  const ended = tool('completed', { input, metadata: { exit: 0 }, output: 'ok 1' });
  expect(told(tool('pending'), tool('running', { input }), tool('running', { input }), ended, ended)).toEqual(
    [
      { type: 'tool_started', tool: 'bash', id: 'call', detail: 'npm test' },
      { type: 'tool_ended', id: 'call', failed: false, result: 'ok 1' },
    ],
  );
});

test.each([
  ['an error', tool('error'), true],
  ['a command that exits with another code than 0', tool('completed', { metadata: { exit: 3 } }), true],
  ['a command that was cut short', tool('completed', { metadata: { exit: null } }), true],
  ['a tool without an exit code', tool('completed', { metadata: {} }), false],
])('%s, whose start was missed, starts and ends', (_name, part, failed) => {
  expect(told(part)).toEqual([
    { type: 'tool_started', tool: 'bash', id: 'call' },
    { type: 'tool_ended', id: 'call', failed },
  ]);
});

test('what a failed tool says is its result', () => {
  expect(told(tool('error', { error: 'no such file' })).at(-1)).toMatchObject({ result: 'no such file' });
});

test('a tool that has not ended with its turn was cut short', () => {
  expect(told(tool('running'))).toMatchObject([
    { type: 'tool_started' },
    { type: 'tool_ended', failed: true },
  ]);
});

test('usage counts what came from the cache and the reasoning, also of helper sessions, and each step once', () => {
  expect(told([step, false], step)).toEqual([{ type: 'usage', in: 105, out: 10, usd: 0.00013 }]);
  expect(told({ ...step, cost: 0 })).toEqual([{ type: 'usage', in: 105, out: 10 }]);
});

test('it forgets what was said long ago, and never what is running', () => {
  const lines: AgentLine[] = [];
  const transcript = transcribe((line) => lines.push(line));
  transcript.take(tool('running'), true);
  for (let index = 0; index < 3_000; index += 1) transcript.take(text(`t${index}`, 1), true);
  transcript.take(text('t2999', 1), true);
  transcript.end();
  expect(lines).toHaveLength(3_002);
});
