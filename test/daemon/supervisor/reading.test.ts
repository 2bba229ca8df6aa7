import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NOTHING_YET, toolOf, traced } from '../../../src/daemon/supervisor/trace.ts';
import type { AgentEvent } from '../../../src/ports/agent.ts';
import { Lines } from '../../../src/protocol/line-splitter.ts';
import { assertProperty } from '../../support/property.ts';

describe('lines', () => {
  test('come whole, wherever the stream is cut', () => {
    assertProperty(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom('a', '\n', 'é') })), (chunks) => {
        const lines = new Lines();
        const taken = chunks.flatMap((chunk) => lines.take(chunk));
        expect(taken).toEqual(chunks.join('').split('\n').slice(0, -1));
      }),
    );
  });

  test('of more than four million characters are skipped, and the next one is whole again', () => {
    const lines = new Lines();
    const taken = [...Array.from({ length: 50 }, () => 'x'.repeat(100_000)), 'tail\nnext\n'].flatMap((text) =>
      lines.take(text),
    );
    expect(taken).toEqual([undefined, 'next']);
  });
});

describe('the trace of an agent', () => {
  const traceAfter = (...events: AgentEvent[]) =>
    events.reduce((trace, event, index) => traced(trace, event, 10 + index), NOTHING_YET);

  test('shows nothing before the first event', () => {
    expect([NOTHING_YET.agent, toolOf(NOTHING_YET)]).toEqual([{ kind: 'none' }, 'none']);
  });

  test('knows since when the oldest tool is in flight, until it ends', () => {
    const started = traceAfter(
      { kind: 'tool started', tool: 'bash', id: 'a' },
      { kind: 'tool started', tool: 'bash', id: 'b' },
    );
    expect(toolOf(started)).toEqual({ since: 10 });
    expect(toolOf(traced(started, { kind: 'tool ended', id: 'a', failed: false }, 20))).toEqual({
      since: 11,
    });
    expect(toolOf(traced(started, { kind: 'turn ended' }, 20))).toBe('none');
  });

  test('tells an empty answer from none', () => {
    expect([
      traceAfter().output,
      traceAfter({ kind: 'text', text: '' }).output,
      traceAfter({ kind: 'text', text: 'hi' }).output,
    ]).toEqual(['none', 'empty', 'text']);
  });

  test('keeps the reset time of a refusal, and says where there is none', () => {
    expect(traceAfter({ kind: 'rate limited', resetAt: 99 }).rateLimit).toEqual({ seenAt: 10, resetAt: 99 });
    expect(traceAfter({ kind: 'rate limited' }).rateLimit).toEqual({ seenAt: 10, resetAt: 'unknown' });
  });

  test('adds usage up', () => {
    const usage = { kind: 'usage', tokensIn: 10, tokensOut: 2, usd: 0.5 } as const;
    expect(traceAfter(usage, { kind: 'turn ended' }, usage).usage).toEqual({
      turns: 1,
      tokensIn: 20,
      tokensOut: 4,
      usd: 1,
    });
  });
});
