/**
 * Tests that OpenCode's events are parsed, and that each message part is emitted exactly once as an
 * agent line.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createTranscript,
  type MessagePart,
  readEvent,
  readPart,
} from '../../../src/agents/opencode/events.ts';
import type { AgentLine } from '../../../src/protocol/agent-line.ts';
import { assertProperty } from '../../support/property.ts';

const OWN = 'ses_e1cd6ce73ffeLxA1s7xbwxk1vR';

function eventOf(type: string, properties: object): string {
  return JSON.stringify({ id: 'evt_1e32', type, properties: { sessionID: OWN, ...properties } });
}

test('parses a status as busy, idle, or waiting for a retry', () => {
  expect(readEvent(eventOf('session.status', { status: { type: 'busy' } }))).toEqual({
    kind: 'status',
    session: OWN,
    status: { type: 'busy' },
  });
  const retry = { type: 'retry', attempt: 1, message: 'usage limit', next: 1794816954428 };
  expect(readEvent(eventOf('session.status', { status: retry }))).toMatchObject({ status: retry });
});

test('parses texts, tools and finished steps, and ignores all other message parts', () => {
  const text = { id: 'prt_1', type: 'text', text: 'Hello ', time: { start: 1, end: 2 } };
  expect(readEvent(eventOf('message.part.updated', { part: text, time: 2 }))).toMatchObject({
    part: { text: 'Hello ' },
  });
  const state = { status: 'completed', input: { command: 'exit 3' }, metadata: { exit: 3, output: '' } };
  const tool = { id: 'prt_2', type: 'tool', tool: 'bash', callID: 'call_1', state };
  expect(readEvent(eventOf('message.part.updated', { part: tool }))).toMatchObject({
    part: { callID: 'call_1', state: { metadata: { exit: 3 } } },
  });
  const start = { id: 'prt_3', type: 'step-start', snapshot: '5534' };
  expect(readEvent(eventOf('message.part.updated', { part: start }))).toBeUndefined();
  expect(readPart(start)).toBeUndefined();
});

test('reports a response only once it is complete, and only if it has no error', () => {
  const info = { id: 'msg_1', role: 'assistant', time: { created: 1 } };
  const complete = { ...info, time: { created: 1, completed: 2 } };
  expect(readEvent(eventOf('message.updated', { info }))).toBeUndefined();
  expect(readEvent(eventOf('message.updated', { info: complete }))).toEqual({
    kind: 'answered',
    session: OWN,
  });
  const failed = { ...complete, error: { name: 'APIError', data: {} } };
  expect(readEvent(eventOf('message.updated', { info: failed }))).toBeUndefined();
  expect(readEvent(eventOf('message.updated', { info: { ...complete, role: 'user' } }))).toBeUndefined();
});

test('errors, permission requests and questions contain the data needed to respond to them', () => {
  const error = { name: 'APIError', data: { message: 'bad key', statusCode: 401, isRetryable: false } };
  expect(readEvent(eventOf('session.error', { error }))).toMatchObject({
    kind: 'error',
    session: OWN,
    error: { name: 'APIError' },
  });
  const asked = { id: 'per_1', permission: 'edit', patterns: ['zz.txt'], metadata: {}, always: ['*'] };
  expect(readEvent(eventOf('permission.asked', asked))).toEqual({
    kind: 'permission',
    asked: { id: 'per_1', permission: 'edit', patterns: ['zz.txt'] },
  });
  const questions = [{ question: 'Which?', header: 'H', options: [{ label: 'a', description: 'A' }] }];
  expect(readEvent(eventOf('question.asked', { id: 'que_1', questions }))).toMatchObject({
    asked: { id: 'que_1' },
  });
});

test('readEvent returns an event or undefined for any text and never throws', () => {
  const any = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc
      .record({
        type: fc.constantFrom('session.status', 'message.updated', 'question.asked'),
        properties: fc.anything(),
      })
      .map((event) => JSON.stringify(event)),
  );
  assertProperty(fc.property(any, (text) => ['undefined', 'object'].includes(typeof readEvent(text))));
  expect(readEvent('{"type":"plugin.added","properties":{"id":"agent"}}')).toBeUndefined();
  expect(readEvent('not JSON')).toBeUndefined();
});

type Tool = Extract<MessagePart, { type: 'tool' }>;

function collectLines(...parts: readonly (MessagePart | readonly [MessagePart, boolean])[]): AgentLine[] {
  const lines: AgentLine[] = [];
  const transcript = createTranscript((line) => lines.push(line));
  for (const part of parts) {
    if ('type' in part) transcript.addPart(part, true);
    else transcript.addPart(...part);
  }
  transcript.closeOpenTools();
  return lines;
}

function text(id: string, end?: number): MessagePart {
  return { type: 'text', id, text: `text of ${id}`, time: end === undefined ? {} : { end } };
}

function tool(status: Tool['state']['status'], more: Partial<Tool['state']> = {}): Tool {
  return { type: 'tool', callID: 'call', tool: 'bash', state: { status, ...more } };
}

const step: MessagePart = {
  type: 'step-finish',
  id: 'step',
  cost: 0.00013,
  tokens: { input: 60, output: 7, reasoning: 3, cache: { read: 40, write: 5 } },
};

test('emits a text once, when it is complete, but emits neither prompts nor texts of a subsession', () => {
  const prompt: MessagePart = { type: 'text', id: 'prompt', text: 'do it' };
  expect(collectLines(prompt, text('a'), text('a', 2), text('a', 2), [text('b', 3), false])).toEqual([
    { type: 'text', text: 'text of a' },
  ]);
});

test('a tool starts when its input is available and ends once', () => {
  const input = { command: 'npm test', description: 'runs tests' };
  const ended = tool('completed', { input, metadata: { exit: 0 }, output: 'ok 1' });
  expect(
    collectLines(tool('pending'), tool('running', { input }), tool('running', { input }), ended, ended),
  ).toEqual([
    { type: 'tool_started', tool: 'bash', id: 'call', detail: 'npm test' },
    { type: 'tool_ended', id: 'call', failed: false, result: 'ok 1' },
  ]);
});

test.each([
  ['an error', tool('error'), true],
  ['a command that exits with a code other than 0', tool('completed', { metadata: { exit: 3 } }), true],
  ['a command without an exit code', tool('completed', { metadata: { exit: null } }), true],
  ['a tool that has no exit codes', tool('completed', { metadata: {} }), false],
])('emits a start and an end for %s, even if its start was missed', (_name, part, failed) => {
  expect(collectLines(part)).toEqual([
    { type: 'tool_started', tool: 'bash', id: 'call' },
    { type: 'tool_ended', id: 'call', failed },
  ]);
});

test('reports the error text of a failed tool as the result of the tool', () => {
  expect(collectLines(tool('error', { error: 'no such file' })).at(-1)).toMatchObject({
    result: 'no such file',
  });
});

test('reports a tool that is still running at the end of its turn as failed', () => {
  expect(collectLines(tool('running'))).toMatchObject([
    { type: 'tool_started' },
    { type: 'tool_ended', failed: true },
  ]);
});

test('includes cached tokens, reasoning tokens and subsessions in the usage, and counts each step once', () => {
  expect(collectLines([step, false], step)).toEqual([{ type: 'usage', in: 105, out: 10, usd: 0.00013 }]);
  expect(collectLines({ ...step, cost: 0 })).toEqual([{ type: 'usage', in: 105, out: 10 }]);
});

test('forgets old ids, but never the id of a running tool', () => {
  const lines: AgentLine[] = [];
  const transcript = createTranscript((line) => lines.push(line));
  transcript.addPart(tool('running'), true);
  for (let index = 0; index < 3_000; index += 1) transcript.addPart(text(`t${index}`, 1), true);
  transcript.addPart(text('t2999', 1), true);
  transcript.closeOpenTools();
  expect(lines).toHaveLength(3_002);
});
