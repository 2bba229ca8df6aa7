/** Tests that output lines are short, however long the transcript is. */
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createAgentLineWriter } from '../../src/agents/agent-lines.ts';
import type { AgentLine } from '../../src/protocol/agent-line.ts';

const LONG = 'x'.repeat(1_000_000);

async function said(line: AgentLine): Promise<string> {
  const stdout = new PassThrough({ highWaterMark: 10_000_000 });
  createAgentLineWriter(stdout)(line);
  stdout.end();
  return text(stdout);
}

test.each<AgentLine>([
  { type: 'text', text: LONG },
  { type: 'question', text: LONG },
  { type: 'tool_started', tool: 'Bash', id: '1', detail: LONG },
  { type: 'error', code: 'agent.failed', message: LONG },
])('truncates an overlong line and states its original length: $type', async (line) => {
  const out = await said(line);
  expect(out.length).toBeLessThan(20_000);
  expect(out).toContain('… (1000000 characters)');
  expect(out.endsWith('\n')).toBe(true);
});

test('keeps the beginning and the end of a tool result, in whole lines', async () => {
  const result = Array.from({ length: 10_000 }, (_, index) => `line ${index}`).join('\n');
  const line = JSON.parse(await said({ type: 'tool_ended', id: '1', failed: true, result }));
  expect(line.result.length).toBeLessThan(4_200);
  expect(line.result).toMatch(
    /^line 0\nline 1\n[\s\S]*\n… \(\d+ characters\)\nline \d+\n[\s\S]*\nline 9999$/,
  );
  const dense = JSON.parse(await said({ type: 'tool_ended', id: '1', failed: false, result: LONG }));
  expect(dense.result).toBe(`${LONG.slice(0, 2_048)}\n… (995904 characters)\n${LONG.slice(-2_048)}`);
});

test('writes a short line unchanged', async () => {
  const line: AgentLine = { type: 'text', text: 'two\nlines' };
  expect(await said(line)).toBe(`${JSON.stringify(line)}\n`);
});
