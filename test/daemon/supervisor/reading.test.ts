import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyAgentEvent, EMPTY_TRACE, findRunningTool } from '../../../src/daemon/supervisor/trace.ts';
import type { AgentEvent } from '../../../src/ports/agent.ts';
import { LineSplitter } from '../../../src/protocol/line-splitter.ts';
import { assertProperty } from '../../support/property.ts';

describe('output lines', () => {
  test('are complete, wherever the stream is split', () => {
    assertProperty(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', '\n', 'é') })), (chunks) => {
        const lines = new LineSplitter();
        const taken = chunks.flatMap((chunk) => lines.take(chunk));
        expect(taken).toEqual(chunks.join('').split('\n').slice(0, -1));
      }),
    );
  });

  test('are skipped if longer than four million characters, and the next line is complete', () => {
    const lines = new LineSplitter();
    const taken = [...Array.from({ length: 50 }, () => 'x'.repeat(100_000)), 'tail\nnext\n'].flatMap((text) =>
      lines.take(text),
    );
    expect(taken).toEqual([undefined, 'next']);
  });
});

describe('the agent trace', () => {
  const traceAfter = (...events: AgentEvent[]) =>
    events.reduce((trace, event, index) => applyAgentEvent(trace, event, 10 + index), EMPTY_TRACE);

  test('is empty before the first event', () => {
    expect([EMPTY_TRACE.agent, findRunningTool(EMPTY_TRACE)]).toEqual([{ kind: 'none' }, 'none']);
  });

  test('contains the start time of the longest-running tool until that tool ends', () => {
    const started = traceAfter(
      { kind: 'tool started', tool: 'bash', id: 'a' },
      { kind: 'tool started', tool: 'bash', id: 'b' },
    );
    expect(findRunningTool(started)).toEqual({ since: 10 });
    expect(
      findRunningTool(applyAgentEvent(started, { kind: 'tool ended', id: 'a', failed: false }, 20)),
    ).toEqual({
      since: 11,
    });
    expect(findRunningTool(applyAgentEvent(started, { kind: 'turn ended' }, 20))).toBe('none');
  });

  test('distinguishes empty output from no output', () => {
    expect([
      traceAfter().output,
      traceAfter({ kind: 'text', text: '' }).output,
      traceAfter({ kind: 'text', text: 'hi' }).output,
    ]).toEqual(['none', 'empty', 'text']);
  });

  test('contains the reset time of a rate limit, or "unknown" if the agent reports none', () => {
    expect(traceAfter({ kind: 'rate limited', resetAt: 99 }).rateLimit).toEqual({ seenAt: 10, resetAt: 99 });
    expect(traceAfter({ kind: 'rate limited' }).rateLimit).toEqual({ seenAt: 10, resetAt: 'unknown' });
  });

  test('contains the total usage', () => {
    const usage = { kind: 'usage', tokensIn: 10, tokensOut: 2, usd: 0.5 } as const;
    expect(traceAfter(usage, { kind: 'turn ended' }, usage).usage).toEqual({
      turns: 1,
      tokensIn: 20,
      tokensOut: 4,
      usd: 1,
    });
  });
});

test('when the agent begins a turn with a status question, the question counts as read; a turn with another message does not mark it as read', () => {
  const other = applyAgentEvent(EMPTY_TRACE, { kind: 'heard', letter: '000000000001' }, 5);
  expect(other).toMatchObject({ agent: { kind: 'usage', at: 5 } });
  expect(other.questionReadAt).toBeUndefined();
  const read = applyAgentEvent(other, { kind: 'heard', letter: 'status-question-7' }, 9);
  expect(read.questionReadAt).toBe(9);
});
