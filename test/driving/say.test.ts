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

test('a short one is written as it is', async () => {
  const line: AgentLine = { type: 'text', text: 'two\nlines' };
  expect(await said(line)).toBe(`${JSON.stringify(line)}\n`);
});
