import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codex } from '../../../src/agents/codex/dialect.ts';
import type { AgentLine } from '../../../src/protocol/agent-line.ts';
import { newScene, writeProgram } from './order.ts';
import { RECORDED, THREAD } from './recorded.ts';

const { signal } = new AbortController();
const say = (...lines: readonly string[]) => `cat <<'LINE'\n${lines.join('\n')}\nLINE`;
const COMPLETED = say(RECORDED.thread, RECORDED.turn, RECORDED.words, RECORDED.completed);
/** Each turn leaves its arguments and its prompt beside the program. */
const REMEMBERED = 'echo "$* < $(cat)" >> "$0.turns"';

const turnsOf = (program: string) =>
  readFileSync(`${program}.turns`, 'utf8')
    .trimEnd()
    .replaceAll(/ -\S*-\S+/g, '')
    .split('\n');

test('turns go on in the thread the first one began, which is named once', async () => {
  const scene = newScene();
  const program = writeProgram(scene, REMEMBERED, COMPLETED);
  const lines: AgentLine[] = [];
  const conversation = await codex.open({ ...scene.order, program }, (line) => void lines.push(line));
  await conversation.turn('one', signal);
  await conversation.turn('two', signal);
  expect(turnsOf(program)).toEqual(['exec - < one', `exec resume ${THREAD} - < two`]);
  expect(lines).toEqual([
    { type: 'started', session: THREAD },
    { type: 'text', text: 'will run' },
    { type: 'usage', in: 303, out: 63 },
    { type: 'text', text: 'will run' },
    // The thread as a whole has used no more than before.
    { type: 'usage', in: 0, out: 0 },
  ]);
});

test('a prompt that was not heard begins the next turn, in a thread that is new', async () => {
  const scene = newScene();
  const program = writeProgram(scene, REMEMBERED, COMPLETED);
  const conversation = await codex.open({ ...scene.order, program }, () => undefined);
  expect(await conversation.turn('one', AbortSignal.abort())).toEqual({ how: 'interrupted' });
  await conversation.turn('two', signal);
  expect(turnsOf(program)).toEqual(['exec - < one', '', 'two']);
});

test('a session goes on in its thread, and only in one', async () => {
  const scene = newScene({ isResumed: true, native: THREAD });
  const program = writeProgram(scene, REMEMBERED, COMPLETED);
  const conversation = await codex.open({ ...scene.order, program }, () => undefined);
  await conversation.turn('on', signal);
  expect(turnsOf(program)).toEqual([`exec resume ${THREAD} - < on`]);
  for (const native of [undefined, 'not-a-thread'])
    await expect(codex.open({ ...scene.order, native }, () => undefined)).rejects.toMatchObject({
      code: 'agent.session_unknown',
    });
});

test('it has a home of its own, and rules that changed since its thread began are in there', async () => {
  const scene = newScene();
  const program = writeProgram(scene, 'cat > /dev/null; echo "$CODEX_HOME" > "$0.home"', COMPLETED);
  const order = { ...scene.order, program, env: { ...scene.order.env, CODEX_HOME: '/of/the/person' } };
  await (await codex.open(order, () => undefined)).turn('one', signal);
  const home = readFileSync(`${program}.home`, 'utf8').trim();
  expect(home).toBe(join(order.folder, 'home'));
  const rules = join(home, 'AGENTS.md');
  const again = { ...order, isResumed: true, native: THREAD };
  await codex.open(again, () => undefined);
  expect(existsSync(rules)).toBe(false);
  await codex.open({ ...again, equipment: { ...again.equipment, rules: 'Be better.' } }, () => undefined);
  expect(readFileSync(rules, 'utf8')).toContain('Be better.');
});
