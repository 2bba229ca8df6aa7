/** Sample worker output with an example of every kind of line. */
import type { AgentLine } from '../../../src/protocol/agent-line.ts';

export function formatLines(...lines: readonly AgentLine[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

export function createAgentLog(): string {
  return (
    formatLines(
      { type: 'started', session: '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d' },
      { type: 'text', text: 'I read the plan and the handoff first, then the existing sender.' },
      { type: 'tool_started', tool: 'Read', id: 't1', detail: 'src/webhooks/send.ts' },
      { type: 'tool_ended', id: 't1', failed: false, result: 'export function send(hook: Hook): void {}' },
      { type: 'tool_started', tool: 'Grep', id: 't2', detail: 'fetch\\( in src/' },
      { type: 'tool_ended', id: 't2', failed: false },
      {
        type: 'text',
        text: 'Step 1: a failing test.\n\n```ts\ntest("a restart loses none", () => {});\n```',
      },
      { type: 'tool_started', tool: 'Bash', id: 't3', detail: 'npm test -- queue' },
      {
        type: 'tool_ended',
        id: 't3',
        failed: true,
        result: 'not ok 1 - a restart loses none\n  expected: 3\n  actual: 0',
      },
      { type: 'usage', in: 18_200, out: 1_410, usd: 0.21 },
      { type: 'turn_ended' },
      { type: 'heard', letter: '000000000017' },
      { type: 'rate_limited', reset_at: Date.parse('2026-11-16T15:00:00Z') },
      { type: 'error', code: 'agent.overloaded', message: 'The provider is overloaded.' },
      { type: 'question', text: 'May rows of cancelled customers be dropped?' },
    ) +
    'a line that is not JSON\n' +
    formatLines({
      type: 'tool_started',
      tool: 'Bash',
      id: 't4',
      detail: 'npm test -- queue --watch=false --reporter=verbose',
    })
  );
}
