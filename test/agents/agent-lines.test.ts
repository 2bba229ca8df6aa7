/** What is written of a transcript is small, however long it is. */
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { sayingTo } from '../../src/driving/say.ts';
import type { AgentLine } from '../../src/protocol/agent-line.ts';

const LONG = 'x'.repeat(1_000_000);

async function said(line: AgentLine): Promise<string> {
  const stdout = new PassThrough({ highWaterMark: 10_000_000 });
  sayingTo(stdout)(line);
  stdout.end();
  return text(stdout);
}

test.each<AgentLine>([
  { type: 'text', text: LONG },
  { type: 'question', text: LONG },
  { type: 'tool_started', tool: 'Bash', id: '1', detail: LONG },
  { type: 'error', code: 'agent.failed', message: LONG },
])('a line of any length is cut and says how long it was: $type', async (line) => {
  const out = await said(line);
  expect(out.length).toBeLessThan(20_000);
  expect(out).toContain('… (1000000 characters)');
  expect(out.endsWith('\n')).toBe(true);
});

test('of what a tool gave back the beginning and the end are kept, line by line', async () => {
  const result = Array.from({ length: 10_000 }, (_, index) => `line ${index}`).join('\n');
  const line = JSON.parse(await said({ type: 'tool_ended', id: '1', failed: true, result }));
  expect(line.result.length).toBeLessThan(4_200);
  expect(line.result).toMatch(
    /^line 0\nline 1\n[\s\S]*\n… \(\d+ characters\)\nline \d+\n[\s\S]*\nline 9999$/,
  );
  const dense = JSON.parse(await said({ type: 'tool_ended', id: '1', failed: false, result: LONG }));
  expect(dense.result).toBe(`${LONG.slice(0, 2_048)}\n… (995904 characters)\n${LONG.slice(-2_048)}`);
});

test('a short one is written as it is', async () => {
  const line: AgentLine = { type: 'text', text: 'two\nlines' };
  expect(await said(line)).toBe(`${JSON.stringify(line)}\n`);
});
