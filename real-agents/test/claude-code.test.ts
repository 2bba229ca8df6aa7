/** Runs the agent conformance suite on the real Claude Code with a scripted model. */
import { expect, test } from 'vitest';
import { createClaudeCodeAgent } from '../../src/agents/claude-code/claude-code-agent.ts';
import { agentConformance } from '../../test/ports/agent/conformance.ts';
import { DONE, LAUNCHER, takeTurns } from './agent-legion.ts';
import { useClaude } from './claude-code/stage.ts';

const claude = useClaude();

agentConformance('claude-code', async () => {
  const { agent, home, env, play, start } = claude();
  return {
    agent,
    start: start('the words of the issue'),
    run: (launch) => play(launch),
    lacking: {
      agent: createClaudeCodeAgent({
        launcher: LAUNCHER,
        home,
        environment: env(),
        program: 'no-such-claude',
      }),
      model: undefined,
    },
    dispose: async () => undefined,
  };
});

test('reports texts, tool calls, tokens and cost in the common format', async () => {
  const { model, play, launch } = claude();
  model.mind = takeTurns({ run: 'echo hello; exit 3', say: 'I look', usage: { in: 1_000, out: 50 } }, DONE);
  const { code, lines } = await play(launch('look'));
  expect(code).toBe(0);
  const told = lines.filter(({ type }) => type !== 'usage');
  expect(told).toMatchObject([
    { type: 'started', session: '924320b3-c96b-510f-b8c4-43e1040229e8' },
    { type: 'text', text: 'I look' },
    { type: 'tool_started', tool: 'Bash', detail: 'echo hello; exit 3' },
    { type: 'tool_ended', failed: true, result: expect.stringContaining('hello') },
    { type: 'tool_started', tool: 'mcp__legion__done', detail: 'said hello' },
    { type: 'tool_ended', failed: false },
    { type: 'text', text: 'that is all' },
    { type: 'turn_ended' },
  ]);
  const used = lines.filter((line) => line.type === 'usage');
  const sum = (of: (line: (typeof used)[number]) => number) => used.reduce((all, line) => all + of(line), 0);
  expect(sum((line) => line.in)).toBe(1_200);
  expect(sum((line) => line.out)).toBe(90);
  // Claude Code's prices: 3 dollars per million input tokens, 15 per million output tokens.
  expect(sum((line) => line.usd ?? 0)).toBeCloseTo(1_200 * 3e-6 + 90 * 15e-6, 9);
});

test('counts the cost of each attempt of a session separately', async () => {
  const { play, launch, resume } = claude();
  const [first, second] = [await play(launch('begin')), await play(resume('go on'))];
  const moneyOf = ({ lines }: typeof first) =>
    lines.reduce((sum, line) => sum + (line.type === 'usage' ? (line.usd ?? 0) : 0), 0);
  expect(moneyOf(first)).toBeGreaterThan(0);
  expect(moneyOf(second)).toBeCloseTo(moneyOf(first), 9);
});

test('omits the cost if the agent could only guess the price of the model', async () => {
  const { agent, play, start } = claude();
  const launch = agent.launch('924320b3-c96b-510f-b8c4-43e1040229e8', { ...start('x'), model: 'stub-1' });
  const { code, lines } = await play(launch);
  expect(code).toBe(0);
  const used = lines.filter((line) => line.type === 'usage');
  expect(used.length).toBeGreaterThan(0);
  expect(used.filter(({ usd }) => usd !== undefined)).toEqual([]);
});
