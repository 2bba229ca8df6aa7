import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codexDialect } from '../../../src/agents/codex/dialect.ts';
import type { AgentLine } from '../../../src/protocol/agent-line.ts';
import { newScene, writeProgram } from './order.ts';
import { RECORDED, THREAD } from './recorded.ts';

const { signal } = new AbortController();
const say = (...lines: readonly string[]) => `cat <<'LINE'\n${lines.join('\n')}\nLINE`;
const COMPLETED = say(RECORDED.thread, RECORDED.turn, RECORDED.words, RECORDED.completed);
/** Makes each turn append its arguments and its prompt to a file next to the executable. */
const REMEMBERED = 'echo "$* < $(cat)" >> "$0.turns"';

const turnsOf = (program: string) =>
  readFileSync(`${program}.turns`, 'utf8')
    .trimEnd()
    .replaceAll(/ -\S*-\S+/g, '')
    .split('\n');

test("continues the first turn's thread in later turns, and reports the thread once", async () => {
  const scene = newScene();
  const program = writeProgram(scene, REMEMBERED, COMPLETED);
  const lines: AgentLine[] = [];
  const conversation = await codexDialect.open({ ...scene.order, program }, (line) => void lines.push(line));
  await conversation.runTurn('one', signal);
  await conversation.runTurn('two', signal);
  expect(turnsOf(program)).toEqual(['exec - < one', `exec resume ${THREAD} - < two`]);
  expect(lines).toEqual([
    { type: 'started', session: THREAD },
    { type: 'text', text: 'will run' },
    { type: 'usage', in: 303, out: 63 },
    { type: 'text', text: 'will run' },
    // The thread's total usage has not grown since the first turn.
    { type: 'usage', in: 0, out: 0 },
  ]);
});

test('puts an undelivered prompt at the start of the next turn, in a new thread', async () => {
  const scene = newScene();
  const program = writeProgram(scene, REMEMBERED, COMPLETED);
  const conversation = await codexDialect.open({ ...scene.order, program }, () => undefined);
  expect(await conversation.runTurn('one', AbortSignal.abort())).toEqual({ how: 'interrupted' });
  await conversation.runTurn('two', signal);
  expect(turnsOf(program)).toEqual(['exec - < one', '', 'two']);
});

test('a session can be continued only with the id of its own thread', async () => {
  const scene = newScene({ isResumed: true, native: THREAD });
  const program = writeProgram(scene, REMEMBERED, COMPLETED);
  const conversation = await codexDialect.open({ ...scene.order, program }, () => undefined);
  await conversation.runTurn('on', signal);
  expect(turnsOf(program)).toEqual([`exec resume ${THREAD} - < on`]);
  for (const native of [undefined, 'not-a-thread'])
    await expect(codexDialect.open({ ...scene.order, native }, () => undefined)).rejects.toMatchObject({
      code: 'agent.session_unknown',
    });
});

test('uses its own Codex home, and rewrites the rules of a resumed thread only if they have changed', async () => {
  const scene = newScene();
  const program = writeProgram(scene, 'cat > /dev/null; echo "$CODEX_HOME" > "$0.home"', COMPLETED);
  const order = { ...scene.order, program, env: { ...scene.order.env, CODEX_HOME: '/of/the/person' } };
  await (await codexDialect.open(order, () => undefined)).runTurn('one', signal);
  const home = readFileSync(`${program}.home`, 'utf8').trim();
  expect(home).toBe(join(order.folder, 'home'));
  const rules = join(home, 'AGENTS.md');
  const again = { ...order, isResumed: true, native: THREAD };
  await codexDialect.open(again, () => undefined);
  expect(existsSync(rules)).toBe(false);
  await codexDialect.open(
    { ...again, equipment: { ...again.equipment, rules: 'Be better.' } },
    () => undefined,
  );
  expect(readFileSync(rules, 'utf8')).toContain('Be better.');
});
