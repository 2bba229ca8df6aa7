import { expect, test } from 'vitest';
import { createAgentLineRenderer } from '../../../src/cli/commands/workers/view/render.ts';
import type { AgentLine } from '../../../src/protocol/agent-line.ts';

/**
 * Returns the rendered lines as plain text in which each piece is preceded by the name of its
 * style.
 */
function shownAs(...lines: readonly (AgentLine | string | undefined)[]): readonly string[] {
  const render = createAgentLineRenderer();
  return lines
    .flatMap((line) => render(typeof line === 'object' ? JSON.stringify(line) : line))
    .map((line) =>
      line.map(({ text, style }) => (style === undefined ? text : `<${style}>${text}`)).join(''),
    );
}

test('renders a worker’s text and actions', () => {
  expect(
    shownAs(
      { type: 'started', session: 's-1' },
      { type: 'text', text: 'First\tthis.\nThen that.\n' },
      { type: 'tool_started', tool: 'Bash', id: 't1', detail: 'npm test' },
      { type: 'tool_started', tool: 'Read', id: 't2' },
      { type: 'tool_ended', id: 't1', failed: true, result: '1\n2\n3\n4\n\n5\nnot ok: it broke\n' },
      { type: 'tool_ended', id: 't2', failed: false, result: 'a whole file' },
      { type: 'tool_ended', id: 't1', failed: false },
      { type: 'usage', in: 1_200, out: 300, usd: 0.02 },
      { type: 'usage', in: 1, out: 2 },
      { type: 'question', text: 'Red or blue?' },
      { type: 'rate_limited' },
      { type: 'heard', letter: '000000000012' },
      { type: 'turn_ended', interrupted: true },
      { type: 'turn_ended' },
      { type: 'error', code: 'agent.failed', message: 'It broke.' },
    ),
  ).toEqual([
    '<dim>session s-1',
    'First    this.',
    'Then that.',
    '<cyan>▸ Bash<dim>  npm test',
    '<cyan>▸ Read<dim>',
    '<red>✗ Bash failed',
    ...['2', '3', '4', '5', 'not ok: it broke'].map((text) => `<dim>  ${text}`),
    '<dim>✓ Read',
    '<dim>✓ t1',
    '<yellow>? Red or blue?',
    '<yellow>‖ rate limited by the provider',
    '<cyan>✉ received message 12',
    '<dim>── turn interrupted, 1,201 tokens in, 302 out, $0.0200',
    '<dim>── turn ended',
    '<red>✗ It broke.<dim> [agent.failed]',
  ]);
});

test('shows when a rate limit ends, in this machine’s time zone', () => {
  const at = new Date(2026, 10, 16, 8, 30, 5).getTime();
  expect(shownAs({ type: 'rate_limited', reset_at: at })).toEqual([
    '<yellow>‖ rate limited by the provider until 08:30:05',
  ]);
});

test('shows a line that is not a known event unchanged, and shortens an overlong line', () => {
  expect(shownAs('', '  ', 'plain words', '{"type":"unheard of"}', undefined)).toEqual([
    '<dim>plain words',
    '<dim>{"type":"unheard of"}',
    '<dim>(a line too long to show)',
  ]);
  expect(shownAs('x'.repeat(10_000))[0]?.length).toBeLessThan(300);
});
