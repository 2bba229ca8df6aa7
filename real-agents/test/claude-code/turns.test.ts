/** How a session of Claude Code goes from turn to turn: letters, reminders, interrupts, ends of every kind. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openLocalHost } from '../../../src/hosts/local/local-host.ts';
import { LETTERS_VARIABLE } from '../../../src/protocol/letter.ts';
import { DONE, inTurn, programOf, readOutput, until } from '../agent-legion.ts';
import { type Cast, SESSION } from '../agent-stage.ts';
import { useClaude } from './cast.ts';

const claude = useClaude();

/** A tool that runs for longer than any test, and says which process it is. */
function endlessTool({ root }: Cast) {
  const file = join(root, 'tool.pid');
  return {
    run: `echo $$ > '${file}.draft' && mv '${file}.draft' '${file}' && exec sleep 600`,
    started: () => until(() => existsSync(file) && Number(readFileSync(file, 'utf8'))),
  };
}

test('a letter that waits begins the next turn, and the first one is not cut short for it', async () => {
  const cast = claude();
  cast.model.mind = (seen) =>
    seen.prompts.at(-1) === 'a word from outside'
      ? inTurn(DONE)(seen)
      : inTurn(...(seen.prompts.length === 1 ? [{ run: 'sleep 2; echo slept' }] : []))(seen);
  const worker = cast.begin(cast.launch('begin'));
  await worker.says('tool_started');
  cast.write({ id: '000000000007', text: 'a word from outside', interrupt: false });
  const { code, out } = await worker.end;
  expect(code).toBe(0);
  const { lines } = readOutput(out);
  const ends = lines.filter(({ type }) => type === 'turn_ended' || type === 'heard');
  expect(ends).toEqual([
    { type: 'turn_ended' },
    { type: 'heard', letter: '000000000007' },
    { type: 'turn_ended' },
  ]);
  expect(lines.filter(({ type }) => type === 'started')).toHaveLength(1);
  const { seen } = cast.model.asked.at(-1) ?? {};
  expect(seen?.prompts).toContain('a word from outside');
  expect(JSON.stringify(cast.model.asked.at(-1)?.body)).toContain('slept');
});

test('an interrupting letter ends the running tool, and the next turn begins with it in the same session', async () => {
  const cast = claude();
  const tool = endlessTool(cast);
  cast.model.mind = (seen) =>
    seen.prompts.at(-1) === 'stop that' ? inTurn(DONE)(seen) : inTurn({ run: tool.run })(seen);
  const worker = cast.begin(cast.launch('begin'));
  const pid = await tool.started();
  cast.write({ id: '000000000008', text: 'stop that', interrupt: true });
  const { code, out } = await worker.end;
  expect(code).toBe(0);
  expect(readOutput(out).lines.filter(({ type }) => type === 'turn_ended' || type === 'heard')).toEqual([
    { type: 'turn_ended', interrupted: true },
    { type: 'heard', letter: '000000000008' },
    { type: 'turn_ended' },
  ]);
  expect(cast.processes()).not.toContain(pid);
  expect(cast.model.asked.at(-1)?.seen.prompts).toEqual(['begin', 'stop that']);
});

test('a letter that interrupts while the model is asked is heard next', async () => {
  const cast = claude();
  cast.model.mind = (seen) =>
    seen.prompts.at(-1)?.endsWith('listen') ? inTurn(DONE)(seen) : { silent: true };
  const worker = cast.begin(cast.launch('begin'));
  await until(() => cast.model.asked.length > 0);
  cast.write({ id: '000000000009', text: 'listen', interrupt: true });
  const { code, out } = await worker.end;
  expect(code).toBe(0);
  expect(readOutput(out).lines.filter(({ type }) => type === 'turn_ended')).toEqual([
    { type: 'turn_ended', interrupted: true },
    { type: 'turn_ended' },
  ]);
  expect(cast.model.asked.at(-1)?.seen.prompts.join()).toMatch(/^begin.*listen$/s);
});

test('a letter that interrupts at the very beginning costs the session nothing of its prompt', async () => {
  const cast = claude();
  cast.write({ id: '000000000010', text: 'and hurry', interrupt: true });
  const { code, lines } = await cast.play(cast.launch('begin'));
  expect(code).toBe(0);
  expect(lines.filter(({ type }) => type === 'turn_ended')).toHaveLength(2);
  const prompts = cast.model.asked.at(-1)?.seen.prompts.join('\n') ?? '';
  expect(prompts).toContain('begin');
  expect(prompts).toContain('and hurry');
});

test('a turn without a report is reminded twice and no more, within the turn', async () => {
  const { model, play, launch } = claude();
  model.mind = () => ({ say: 'I am finished' });
  const { code, lines } = await play(launch('begin'));
  expect(code).toBe(0);
  expect(lines.filter(({ type }) => type === 'text')).toHaveLength(3);
  expect(lines.filter(({ type }) => type === 'turn_ended')).toHaveLength(1);
  expect(model.asked.at(-1)?.seen.prompts).toEqual([
    'begin',
    expect.stringContaining('without a report'),
    expect.stringContaining('without a report'),
  ]);
});

test('a host that stops it leaves neither the agent nor its tools', async () => {
  const cast = claude();
  const tool = endlessTool(cast);
  cast.model.mind = inTurn({ run: tool.run });
  const host = await openLocalHost({
    folder: join(cast.root, 'host'),
    legion: 'stage',
    environment: cast.env(),
  });
  const { argv, env, stdin } = cast.launch('begin');
  const { LEGION_MARKER: _, [LETTERS_VARIABLE]: __, ...given } = cast.env();
  const worker = 'demo-1-implement';
  const started = await host.start({
    ...{ worker, attempt: 1, argv, cwd: cast.workspace, stdin },
    ...{ env: { ...given, ...env }, letters: LETTERS_VARIABLE },
  });
  await tool.started();
  expect(await host.signal(started, 'TERM')).toBe('sent');
  await until(async () => (await host.observe(started)).alive === false);
  // What claude starts has a session of its own: the marker tells whose it is.
  for (const left of await host.adopt(worker)) await host.signal(left, 'KILL');
  await until(async () => (await host.adopt(worker)).length === 0);
});

test('an agent that has to be killed for a letter leaves no tool behind for the next turn', async () => {
  const cast = claude();
  const tool = endlessTool(cast);
  // Stands in for one that hangs: it has started a tool as the real one does, and takes no notice of being asked.
  const program = join(cast.root, 'hanging-claude');
  const init = { type: 'system', subtype: 'init', session_id: SESSION };
  const ready = { ...init, mcp_servers: [{ name: 'legion', status: 'connected' }] };
  const script = `trap '' INT; echo '${JSON.stringify(ready)}'; setsid sh -c "$TOOL" & while :; do sleep 1; done`;
  writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
  const { argv, ...launch } = cast.launch('begin');
  const replaced = argv.map((word) => (word === programOf('claude') ? program : word)) as typeof argv &
    [string];
  const worker = cast.begin({ ...launch, argv: replaced }, { TOOL: tool.run });
  const pid = await tool.started();
  cast.write({ id: '000000000011', text: 'stop that', interrupt: true });
  await worker.says('"interrupted":true');
  expect(cast.processes()).not.toContain(pid);
  // The next turn hangs like the first; a killed driver cannot end it, so it is ended here.
  worker.child.kill('SIGKILL');
  await worker.end;
  await until(() => {
    for (const each of cast.processes()) process.kill(each, 'SIGKILL');
    return cast.processes().length === 0;
  });
});

test('a session whose worker was killed in the midst of a tool goes on', async () => {
  const cast = claude();
  const tool = endlessTool(cast);
  cast.model.mind = inTurn({ run: tool.run });
  const worker = cast.begin(cast.launch('begin'));
  await tool.started();
  process.kill(-(worker.child.pid ?? Number.NaN), 'SIGKILL');
  await worker.exit;
  for (const pid of cast.processes()) process.kill(pid, 'SIGKILL');
  // What it has used until then is known, although it never came to an account.
  const { lines: before } = readOutput((await worker.end).out);
  expect(before.filter(({ type }) => type === 'usage')).toEqual([
    { type: 'usage', in: 100, out: 0 },
    { type: 'usage', in: 0, out: 20 },
  ]);
  cast.model.mind = inTurn(DONE);
  const { code, lines } = await cast.play(cast.resume('go on'));
  expect(code).toBe(0);
  expect(lines[0]).toMatchObject({ type: 'started' });
  const prompts = cast.model.asked.at(-1)?.seen.prompts ?? [];
  expect([prompts[0], prompts.at(-1)]).toEqual(['begin', 'go on']);
});

test('a session that is there although Legion has lost its record is gone on with', async () => {
  const cast = claude();
  await cast.play(cast.launch('begin'));
  const elsewhere = { ...cast.launch('once more') };
  const argv = elsewhere.argv.map((word) => (word === cast.home ? join(cast.root, 'other-home') : word));
  const { code, lines } = await cast.play({ ...elsewhere, argv: argv as [string, ...string[]] });
  expect(code).toBe(0);
  expect(lines.at(-1)).toEqual({ type: 'turn_ended' });
  expect(cast.model.asked.at(-1)?.seen.prompts).toEqual(['begin', 'once more']);
});

test('told to end, it ends at once, and says nothing of a fault', async () => {
  const cast = claude();
  cast.model.mind = () => ({ silent: true });
  const worker = cast.begin(cast.launch('begin'));
  await until(() => cast.model.asked.length > 0);
  worker.child.kill('SIGTERM');
  const { out } = await Promise.race([
    worker.end,
    sleep(20_000).then(() => Promise.reject(new Error('late'))),
  ]);
  expect(readOutput(out).lines.filter(({ type }) => type === 'error')).toEqual([]);
  expect(cast.processes()).toEqual([]);
});
