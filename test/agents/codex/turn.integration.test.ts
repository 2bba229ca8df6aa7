import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CODEX_TURN_TIMEOUTS, type CodexTurnTimeouts, runCodexTurn } from '../../../src/agents/codex/turn.ts';
import type { AgentLine } from '../../../src/protocol/agent-line.ts';
import { newScene, type Scene, writeProgram } from './order.ts';
import { RECORDED, THREAD } from './recorded.ts';

const says = (...names: (keyof typeof RECORDED)[]) =>
  names.map((name) => `cat <<'LINE'\n${RECORDED[name]}\nLINE`).join('\n');

interface Played {
  readonly patience?: Partial<CodexTurnTimeouts>;
  /** Called when the thread has started. */
  readonly began?: () => void;
  readonly interrupt?: AbortSignal;
}

async function played(scene: Scene, script: readonly string[], { patience, began, interrupt }: Played = {}) {
  const lines: AgentLine[] = [];
  const happened: unknown[] = [];
  const { workspace: cwd, env } = scene.order;
  const end = await runCodexTurn(
    { argv: [writeProgram(scene, ...script)], cwd, env, stdin: 'the prompt' },
    {
      emit: (line) => void lines.push(line),
      onThreadStarted(thread) {
        happened.push(thread);
        began?.();
      },
      onPromptTaken: () => void happened.push('taken'),
      onUsage: (total) => void happened.push(total),
    },
    { ...CODEX_TURN_TIMEOUTS, ...patience },
    interrupt ?? new AbortController().signal,
  ).catch((error: unknown) => error);
  return { end, lines, happened };
}

test('reports a turn as it runs', async () => {
  const script = [says('thread', 'notice', 'turn', 'words', 'commandBegins', 'commandFails', 'completed')];
  const { end, lines, happened } = await played(newScene(), script);
  expect(end).toEqual({ how: 'ended' });
  expect(lines.map(({ type }) => type)).toEqual(['text', 'tool_started', 'tool_ended']);
  expect(happened).toEqual([THREAD, 'taken', { in: 303, out: 63 }]);
});

test('ends the open tools of a failed turn, and does not treat its prompt as delivered', async () => {
  const { end, lines } = await played(newScene(), [
    says('thread', 'turn', 'commandBegins', 'failed'),
    'exit 1',
  ]);
  expect(end).toMatchObject({ how: 'login refused', message: expect.stringContaining('401') });
  expect(lines.at(-1)).toMatchObject({ type: 'tool_ended', failed: true });
  const { happened } = await played(newScene(), [says('thread', 'turn', 'failed'), 'exit 1']);
  expect(happened).toEqual([THREAD]);
});

test('gives up on a program that prints nothing after its start', async () => {
  const { end } = await played(newScene(), ['exec sleep 300'], { patience: { start: 200 } });
  expect(end).toMatchObject({
    code: 'agent.failed',
    message: 'codex printed nothing within 0.2 s of its start',
  });
});

test('treats silence after a refused request as an exhausted quota, but keeps waiting during any other silence', async () => {
  const patience = { start: 10_000, refused: 200 };
  const refused = await played(newScene(), [says('thread', 'turn', 'refused'), 'exec sleep 300'], {
    patience,
  });
  expect(refused.end).toEqual({ how: 'rate limited' });
  const script = [says('thread', 'turn', 'refused', 'words'), 'sleep 1', says('completed')];
  expect((await played(newScene(), script, { patience })).end).toEqual({ how: 'ended' });
});

test('delays an early interrupt until the turn can be interrupted', async () => {
  const scene = newScene();
  const early = join(scene.root, 'early');
  const interrupt = new AbortController();
  const script = [
    `trap "touch '${early}'" INT`,
    says('thread'),
    'sleep 0.5',
    `trap 'kill $!; exit 1' INT`,
    says('turn'),
    'sleep 300 & wait',
  ];
  const { end, happened } = await played(scene, script, {
    began: () => interrupt.abort(),
    interrupt: interrupt.signal,
  });
  expect(end).toEqual({ how: 'interrupted' });
  expect(happened).toEqual([THREAD, 'taken']);
  expect(existsSync(early)).toBe(false);
});

test('ignores lines that are unknown or too long to keep in memory', async () => {
  const script = [
    'echo "not JSON"',
    says('thread', 'turn'),
    'head -c 5000000 /dev/zero | tr "\\0" x; echo',
    says('words', 'completed'),
  ];
  const { end, lines } = await played(newScene(), script);
  expect(end).toEqual({ how: 'ended' });
  expect(lines).toEqual([{ type: 'text', text: 'will run' }]);
});
