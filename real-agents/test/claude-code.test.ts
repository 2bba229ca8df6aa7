/** Claude Code keeps the contract of agents, with its real program and a scripted model. */
import { expect, test } from 'vitest';
import { claudeCodeAgent } from '../../src/agents/claude-code/claude-code-agent.ts';
import { agentConformance } from '../../test/ports/agent/conformance.ts';
import { DONE, inTurn, LAUNCHER } from './agent-legion.ts';
import { useClaude } from './claude-code/cast.ts';

const claude = useClaude();

agentConformance('claude-code', async () => {
  const { agent, home, env, play, start } = claude();
  return {
    agent,
    start: start('the words of the issue'),
    run: (launch) => play(launch),
    lacking: {
      agent: claudeCodeAgent({ launcher: LAUNCHER, home, environment: env(), program: 'no-such-claude' }),
      model: undefined,
    },
    dispose: async () => undefined,
  };
});

test('texts, tools, tokens and money come out as every agent says them', async () => {
  const { model, play, launch } = claude();
  model.mind = inTurn({ run: 'echo hello; exit 3', say: 'I look', usage: { in: 1_000, out: 50 } }, DONE);
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
  // As Claude Code prices them: 3 dollars for a million tokens in, 15 for a million out.
  expect(sum((line) => line.usd ?? 0)).toBeCloseTo(1_200 * 3e-6 + 90 * 15e-6, 9);
});

test('each life of a session counts its own money', async () => {
  const { play, launch, resume } = claude();
  const [first, second] = [await play(launch('begin')), await play(resume('go on'))];
  const moneyOf = ({ lines }: typeof first) =>
    lines.reduce((sum, line) => sum + (line.type === 'usage' ? (line.usd ?? 0) : 0), 0);
  expect(moneyOf(first)).toBeGreaterThan(0);
  expect(moneyOf(second)).toBeCloseTo(moneyOf(first), 9);
});

test('the money is left out where the agent could only guess the price', async () => {
  const { agent, play, start } = claude();
  const launch = agent.launch('924320b3-c96b-510f-b8c4-43e1040229e8', { ...start('x'), model: 'stub-1' });
  const { code, lines } = await play(launch);
  expect(code).toBe(0);
  const used = lines.filter((line) => line.type === 'usage');
  expect(used.length).toBeGreaterThan(0);
  expect(used.filter(({ usd }) => usd !== undefined)).toEqual([]);
});
