/** Tests how lines of Claude Code 2.1.197 are parsed. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  extractAgentLines,
  readStreamLine,
  type StreamLine,
} from '../../../src/agents/claude-code/stream-line.ts';
import { UsageMeter } from '../../../src/agents/claude-code/turn.ts';
import type { AgentLine } from '../../../src/protocol/agent-line.ts';
import { assertProperty } from '../../support/property.ts';

const SESSION = '8c45e757-4650-4022-8ff6-94a58f1d4b7a';

function read(data: object): StreamLine {
  const line = readStreamLine(JSON.stringify({ ...data, session_id: SESSION, uuid: 'b8aa749a' }));
  if (line === undefined) throw new Error(`was not read: ${JSON.stringify(data)}`);
  return line;
}

function said(data: object): readonly AgentLine[] {
  const line = read(data);
  if (line.type !== 'assistant' && line.type !== 'user') throw new Error(`${line.type} says nothing`);
  return extractAgentLines(line);
}

function assistant(content: readonly object[], more: object = {}): object {
  const message = { id: 'msg_4', role: 'assistant', model: 'claude-sonnet-4-5', content };
  return { type: 'assistant', message, parent_tool_use_id: null, ...more };
}

const TEXT = { type: 'text', text: 'I run it' };
const TOOL = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls', description: 'x' } };

test('reports texts, thoughts and tools', () => {
  expect(said(assistant([TEXT]))).toEqual([{ type: 'text', text: 'I run it' }]);
  expect(said(assistant([{ type: 'thinking', thinking: 'hm', signature: 'x' }]))).toEqual([
    { type: 'text', text: 'hm' },
  ]);
  expect(said(assistant([TOOL]))).toEqual([
    { type: 'tool_started', tool: 'Bash', id: 'toolu_1', detail: 'ls' },
  ]);
  expect(said(assistant([{ ...TOOL, input: {} }]))).toEqual([
    { type: 'tool_started', tool: 'Bash', id: 'toolu_1' },
  ]);
  const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'a' };
  const ended = (more: object) =>
    said({ type: 'user', message: { role: 'user', content: [{ ...result, ...more }] } });
  const end = { type: 'tool_ended', id: 'toolu_1', failed: false };
  expect(ended({})).toEqual([{ ...end, result: 'a' }]);
  expect(ended({ is_error: true })).toEqual([{ ...end, failed: true, result: 'a' }]);
  const parts = [{ type: 'text', text: 'one' }, { type: 'image' }, 'nonsense', { type: 'text', text: 'two' }];
  expect(ended({ content: parts })).toEqual([{ ...end, result: 'one\ntwo' }]);
  for (const nothing of [undefined, '', [], 5]) expect(ended({ content: nothing })).toEqual([end]);
});

test('omits hidden thoughts, hook and skill texts, messages about failed requests, and subagent texts', () => {
  expect(said(assistant([{ type: 'thinking', thinking: '', signature: 'x' }]))).toEqual([]);
  expect(said({ type: 'user', message: { role: 'user', content: [TEXT] }, isSynthetic: true })).toEqual([]);
  expect(said({ type: 'user', message: { role: 'user', content: 'a string' } })).toEqual([]);
  expect(said(assistant([TEXT], { error: 'rate_limit' }))).toEqual([]);
  const inner = { parent_tool_use_id: 'toolu_0' };
  expect(said(assistant([TEXT], inner))).toEqual([]);
  expect(said(assistant([TOOL], inner))).toHaveLength(1);
});

function start(usage: object): object {
  return { type: 'stream_event', event: { type: 'message_start', message: { id: 'msg_4', usage } } };
}

function stop(output_tokens: number, stop_reason: string | null = 'end_turn'): object {
  const event = { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens } };
  return { type: 'stream_event', event };
}

function result(more: object = {}): object {
  return { type: 'result', subtype: 'success', is_error: false, total_cost_usd: 0, modelUsage: {}, ...more };
}

function counted(meter: UsageMeter, data: object): readonly AgentLine[] {
  const line = read(data);
  if (line.type === 'stream_event') return meter.recordEvent(line);
  if (line.type === 'result') return meter.recordResult(line);
  throw new Error(`${line.type} has no count`);
}

const MODEL = { inputTokens: 200, outputTokens: 100, cacheReadInputTokens: 60, cacheCreationInputTokens: 40 };

test('counts tokens, including cached ones, as they stream, and takes the rest of the tokens and the cost from the result', () => {
  const meter = new UsageMeter();
  const usage = { input_tokens: 100, cache_creation_input_tokens: 20, cache_read_input_tokens: 30 };
  expect(counted(meter, start(usage))).toEqual([{ type: 'usage', in: 150, out: 0 }]);
  expect(counted(meter, stop(50))).toEqual([{ type: 'usage', in: 0, out: 50 }]);
  const first = { modelUsage: { 'claude-sonnet-4-5': MODEL }, total_cost_usd: 0.25 };
  expect(counted(meter, result(first))).toEqual([{ type: 'usage', in: 150, out: 50, usd: 0.25 }]);
  // Background work produces a second result that contains the totals of the whole process.
  expect(counted(meter, result({ ...first, total_cost_usd: 0.75 }))).toEqual([
    { type: 'usage', in: 0, out: 0, usd: 0.5 },
  ]);
  expect(counted(meter, result({ ...first, total_cost_usd: 0.75 }))).toEqual([]);
});

test('subtracts nothing if a result has lower totals than were already counted', () => {
  const meter = new UsageMeter();
  counted(meter, start({ input_tokens: 100 }));
  expect(counted(meter, result())).toEqual([]);
});

test('omits the cost if a model has no known price', () => {
  const money = (models: readonly string[]) =>
    counted(
      new UsageMeter(),
      result({
        modelUsage: Object.fromEntries(models.map((model) => [model, MODEL])),
        total_cost_usd: 1,
      }),
    );
  expect(money(['us.anthropic.claude-sonnet-4-5-v1:0'])).toMatchObject([{ usd: 1 }]);
  expect(money(['glm-4.6'])).toEqual([{ type: 'usage', in: 300, out: 100 }]);
  expect(money(['claude-haiku-4-5', 'glm-4.6'])).toEqual([{ type: 'usage', in: 600, out: 200 }]);
});

test('ignores irrelevant lines and line types of newer versions', () => {
  const lines = [
    { type: 'system', subtype: 'status', status: 'requesting' },
    { type: 'system', subtype: 'compact_boundary' },
    { type: 'stream_event', event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta' } } },
    stop(3, null),
    { type: 'of tomorrow' },
  ];
  for (const line of lines) expect(readStreamLine(JSON.stringify(line))).toBeUndefined();
});

test('never throws, whatever the line contains', () => {
  const types = ['system', 'assistant', 'user', 'stream_event', 'rate_limit_event', 'result'];
  const shaped = fc.record({
    type: fc.constantFrom(...types),
    subtype: fc.constantFrom('init', 'api_retry'),
    message: fc.oneof(fc.anything(), fc.record({ content: fc.array(fc.anything()) })),
    event: fc.anything(),
    is_error: fc.oneof(fc.boolean(), fc.anything()),
    modelUsage: fc.anything(),
  });
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    shaped.map((record) => JSON.stringify(record, (_key, value) => (typeof value === 'bigint' ? 0 : value))),
  );
  assertProperty(
    fc.property(text, (line) => {
      const seen = readStreamLine(line);
      if (seen?.type === 'assistant' || seen?.type === 'user') extractAgentLines(seen);
      if (seen?.type === 'result') new UsageMeter().recordResult(seen);
    }),
  );
});
