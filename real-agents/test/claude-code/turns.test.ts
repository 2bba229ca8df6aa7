/**
 * Tests a Claude Code session across turns: messages, reminders, interrupts and all kinds of
 * endings.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openLocalHost } from '../../../src/hosts/local/local-host.ts';
import { MESSAGES_VARIABLE } from '../../../src/protocol/worker-message.ts';
import { DONE, endNow, readOutput, resolveProgram, takeTurns, waitUntilFound } from '../agent-legion.ts';
import { type AgentStage, SESSION } from '../agent-stage.ts';
import { useClaude } from './stage.ts';

const claude = useClaude();

/** Returns a tool call that runs longer than any test and records its pid. */
function endlessTool({ root }: AgentStage) {
  const file = join(root, 'tool.pid');
  return {
    run: `echo $$ > '${file}.draft' && mv '${file}.draft' '${file}' && exec sleep 600`,
    started: () => waitUntilFound(() => existsSync(file) && Number(readFileSync(file, 'utf8'))),
  };
}

/**
 * Returns the part of the session that the agent has stored so far. Empty before the first write.
 */
function readTranscript({ person }: AgentStage): string {
  const files = globSync(join(person, '.claude/projects/*', `${SESSION}.jsonl`));
  return files.map((file) => readFileSync(file, 'utf8')).join('');
}

/** Kills the processes that outlived the driver and waits until they are gone. */
async function killLeftovers(cast: AgentStage): Promise<void> {
  await waitUntilFound(() => {
    const left = cast.processes();
    for (const pid of left) endNow(pid);
    return left.length === 0;
  });
}

test('a normal message starts the next turn and does not interrupt the current one', async () => {
  const cast = claude();
  cast.model.mind = (seen) =>
    seen.prompts.at(-1) === 'a word from outside'
      ? takeTurns(DONE)(seen)
      : takeTurns(...(seen.prompts.length === 1 ? [{ run: 'sleep 2; echo slept' }] : []))(seen);
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

test('an urgent message ends the running tool and starts the next turn in the same session', async () => {
  const cast = claude();
  const tool = endlessTool(cast);
  cast.model.mind = (seen) =>
    seen.prompts.at(-1) === 'stop that' ? takeTurns(DONE)(seen) : takeTurns({ run: tool.run })(seen);
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

test('an urgent message that arrives during a model request is delivered in the next turn', async () => {
  const cast = claude();
  cast.model.mind = (seen) =>
    seen.prompts.at(-1)?.endsWith('listen') ? takeTurns(DONE)(seen) : { silent: true };
  const worker = cast.begin(cast.launch('begin'));
  await waitUntilFound(() => cast.model.asked.length > 0);
  cast.write({ id: '000000000009', text: 'listen', interrupt: true });
  const { code, out } = await worker.end;
  expect(code).toBe(0);
  expect(readOutput(out).lines.filter(({ type }) => type === 'turn_ended')).toEqual([
    { type: 'turn_ended', interrupted: true },
    { type: 'turn_ended' },
  ]);
  expect(cast.model.asked.at(-1)?.seen.prompts.join()).toMatch(/^begin.*listen$/s);
});

test('delivers the whole prompt even if an urgent message arrives right at the start', async () => {
  const cast = claude();
  cast.write({ id: '000000000010', text: 'and hurry', interrupt: true });
  const { code, lines } = await cast.play(cast.launch('begin'));
  expect(code).toBe(0);
  expect(lines.filter(({ type }) => type === 'turn_ended')).toHaveLength(2);
  const prompts = cast.model.asked.at(-1)?.seen.prompts.join('\n') ?? '';
  expect(prompts).toContain('begin');
  expect(prompts).toContain('and hurry');
});

test('if an agent finishes without a report, it is reminded exactly twice, and everything counts as a single turn', async () => {
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

test('when the host stops the agent, neither the agent nor its tools stay running', async () => {
  const cast = claude();
  const tool = endlessTool(cast);
  cast.model.mind = takeTurns({ run: tool.run });
  const host = await openLocalHost({
    folder: join(cast.root, 'host'),
    legion: 'stage',
    environment: cast.env(),
  });
  const { argv, env, stdin } = cast.launch('begin');
  const { LEGION_MARKER: _, [MESSAGES_VARIABLE]: __, ...given } = cast.env();
  const worker = 'demo-1-implement';
  const started = await host.start({
    worker,
    attempt: 1,
    argv,
    cwd: cast.workspace,
    stdin,
    env: { ...given, ...env },
    messagesVariable: MESSAGES_VARIABLE,
  });
  await tool.started();
  expect(await host.signal(started, 'TERM')).toBe('sent');
  await waitUntilFound(async () => (await host.observe(started)).alive === false);
  // Processes that claude starts run in their own session, so the host finds them by their marker.
  for (const left of await host.adopt(worker)) await host.signal(left, 'KILL');
  await waitUntilFound(async () => (await host.adopt(worker)).length === 0);
});

test('if an agent must be killed to deliver a message, none of its tools is still running in the next turn', async () => {
  const cast = claude();
  const tool = endlessTool(cast);
  // Imitates a hung agent: like the real one, it has started a tool, but it ignores the interrupt.
  const program = join(cast.root, 'hanging-claude');
  const init = { type: 'system', subtype: 'init', session_id: SESSION };
  const ready = { ...init, mcp_servers: [{ name: 'legion', status: 'connected' }] };
  const script = `trap '' INT; echo '${JSON.stringify(ready)}'; setsid sh -c "$TOOL" & while :; do sleep 1; done`;
  writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
  const { argv, ...launch } = cast.launch('begin');
  const replaced = argv.map((word) => (word === resolveProgram('claude') ? program : word)) as typeof argv &
    [string];
  const worker = cast.begin({ ...launch, argv: replaced }, { TOOL: tool.run });
  const pid = await tool.started();
  cast.write({ id: '000000000011', text: 'stop that', interrupt: true });
  await worker.says('"interrupted":true');
  expect(cast.processes()).not.toContain(pid);
  // The next turn hangs, too. A killed driver cannot end its agent, so the test ends it.
  worker.child.kill('SIGKILL');
  await worker.end;
  await killLeftovers(cast);
});

test('continues a session whose worker was killed while a tool was running', async () => {
  const cast = claude();
  const tool = endlessTool(cast);
  cast.model.mind = takeTurns({ run: tool.run });
  const worker = cast.begin(cast.launch('begin'));
  await tool.started();
  // The agent buffers its transcript. If it is killed before the first write, it leaves no session
  // to resume.
  await waitUntilFound(() => readTranscript(cast).includes('"tool_use"'));
  process.kill(-(worker.child.pid ?? Number.NaN), 'SIGKILL');
  await worker.exit;
  await killLeftovers(cast);
  // The usage up to the kill is known, although the turn never reported its total.
  const { lines: before } = readOutput((await worker.end).out);
  expect(before.filter(({ type }) => type === 'usage')).toEqual([
    { type: 'usage', in: 100, out: 0 },
    { type: 'usage', in: 0, out: 20 },
  ]);
  cast.model.mind = takeTurns(DONE);
  const { code, lines, err } = await cast.play(cast.resume('go on'));
  expect(code, JSON.stringify({ lines, err })).toBe(0);
  expect(lines[0]).toMatchObject({ type: 'started' });
  const prompts = cast.model.asked.at(-1)?.seen.prompts ?? [];
  expect([prompts[0], prompts.at(-1)]).toEqual(['begin', 'go on']);
});

test('continues an existing session even if Legion has lost its own record of it', async () => {
  const cast = claude();
  await cast.play(cast.launch('begin'));
  const elsewhere = { ...cast.launch('once more') };
  const argv = elsewhere.argv.map((word) => (word === cast.home ? join(cast.root, 'other-home') : word));
  const { code, lines } = await cast.play({ ...elsewhere, argv: argv as [string, ...string[]] });
  expect(code).toBe(0);
  expect(lines.at(-1)).toEqual({ type: 'turn_ended' });
  expect(cast.model.asked.at(-1)?.seen.prompts).toEqual(['begin', 'once more']);
});

test('exits soon after TERM, without reporting a fault', async () => {
  const cast = claude();
  cast.model.mind = () => ({ silent: true });
  const worker = cast.begin(cast.launch('begin'));
  await waitUntilFound(() => cast.model.asked.length > 0);
  worker.child.kill('SIGTERM');
  const { out } = await Promise.race([
    worker.end,
    sleep(20_000).then(() => Promise.reject(new Error('late'))),
  ]);
  expect(readOutput(out).lines.filter(({ type }) => type === 'error')).toEqual([]);
  expect(cast.processes()).toEqual([]);
});
