/** How a session of Claude Code is begun and gone on with, and what is not waited for, with a program that stands in for it. */
import { expect, test } from 'vitest';
import { claudeCode } from '../../../src/agents/claude-code/dialect.ts';
import { takeOneTurn } from '../../../src/agents/claude-code/turn.ts';
import type { SessionOrder } from '../../../src/driving/dialect.ts';
import type { AgentLine } from '../../../src/protocol/agent-line.ts';
import { type FakeClaude, fakeClaude } from './fake-claude.ts';

const SESSION = '924320b3-c96b-510f-b8c4-43e1040229e8';
const NEVER = new AbortController().signal;
const { PATH = '' } = process.env;

const echo = (line: object) => `echo '${JSON.stringify(line)}'`;
const INIT = echo({
  ...{ type: 'system', subtype: 'init', session_id: SESSION },
  mcp_servers: [{ name: 'legion', status: 'connected' }],
});
const WORDS = echo({ type: 'assistant', message: { content: [{ type: 'text', text: 'hello' }] } });
const RESULT = echo({ type: 'result', is_error: false, terminal_reason: 'completed', total_cost_usd: 0 });
const NORMAL = `${INIT}; ${WORDS}; ${RESULT}`;
const TAKEN = `echo 'Error: Session ID ${SESSION} is already in use.' >&2; exit 1`;
const UNKNOWN = `${echo({
  ...{ type: 'result', is_error: true, total_cost_usd: 0 },
  errors: [`No conversation found with session ID: ${SESSION}`],
})}; exit 1`;

async function opened({ program, folder }: FakeClaude, more: Partial<SessionOrder> = {}) {
  const lines: AgentLine[] = [];
  const order: SessionOrder = {
    ...{ session: SESSION, native: undefined, isResumed: false, model: undefined, endpoint: undefined },
    ...{ workspace: folder, folder, program, env: { PATH } },
    equipment: {
      mcp: { command: 'legion', args: [] },
      ...{ stopHook: ['legion'], skills: folder, rules: 'rules' },
    },
    worker: {
      ...{ LEGION_WORKER: 'demo-1-implement', LEGION_ISSUE: 'DEMO-1', LEGION_MODE: 'implement' },
      ...{ LEGION_PHASE: 'implement', LEGION_PURPOSE: 'start', LEGION_ATTEMPT: 1 },
      ...{ LEGION_WORKER_TOKEN: 'token', LEGION_STATE: '/state', LEGION_OUTBOX: '/outbox' },
    },
    ...more,
  };
  return { conversation: await claudeCode.open(order, (line) => lines.push(line)), lines };
}

test('a session is begun by its first turn and gone on with by the others, and its start is said once', async () => {
  const fake = fakeClaude(NORMAL);
  const { conversation, lines } = await opened(fake);
  expect(await conversation.turn('one', NEVER)).toEqual({ how: 'ended' });
  expect(await conversation.turn('two', NEVER)).toEqual({ how: 'ended' });
  expect(fake.calls()).toEqual([
    { way: '--session-id', prompt: 'one' },
    { way: '--resume', prompt: 'two' },
  ]);
  const hello = { type: 'text', text: 'hello' };
  expect(lines).toEqual([{ type: 'started', session: SESSION }, hello, hello]);
});

test('one that is there already, though our record of it is lost, is gone on with', async () => {
  const fake = fakeClaude(`if [ $way = --session-id ]; then ${TAKEN}; fi; ${NORMAL}`);
  const { conversation } = await opened(fake);
  expect(await conversation.turn('one', NEVER)).toEqual({ how: 'ended' });
  expect(fake.calls().map(({ way }) => way)).toEqual(['--session-id', '--resume']);
});

test('one that is there and cannot be gone on with is given up after both were tried', async () => {
  const fake = fakeClaude(`if [ $way = --session-id ]; then ${TAKEN}; fi; ${UNKNOWN}`);
  const { conversation } = await opened(fake);
  await expect(conversation.turn('one', NEVER)).rejects.toMatchObject({ code: 'agent.session_unknown' });
  expect(fake.calls()).toHaveLength(2);
});

test('one that was to be gone on with and is not there is not begun', async () => {
  const fake = fakeClaude(UNKNOWN);
  const { conversation } = await opened(fake, { isResumed: true });
  await expect(conversation.turn('one', NEVER)).rejects.toMatchObject({ code: 'agent.session_unknown' });
  expect(fake.calls().map(({ way }) => way)).toEqual(['--resume']);
});

test('a turn that was cut short before it left a trace loses nothing of its prompt', async () => {
  // Its first turn says that it began, and no more; the second finds no session, and begins it.
  const fake = fakeClaude(`case $way$(wc -l < calls | tr -d ' ') in
--session-id1) ${INIT}; exec sleep 60;;
--resume2) ${UNKNOWN};;
esac
${NORMAL}`);
  const { conversation, lines } = await opened(fake);
  const interrupt = new AbortController();
  const first = conversation.turn('one', interrupt.signal);
  while (lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  interrupt.abort();
  expect(await first).toEqual({ how: 'interrupted' });
  expect(await conversation.turn('two', NEVER)).toEqual({ how: 'ended' });
  expect(await conversation.turn('three', NEVER)).toEqual({ how: 'ended' });
  expect(fake.calls()).toEqual([
    { way: '--session-id', prompt: 'one' },
    { way: '--resume', prompt: 'one\n\ntwo' },
    { way: '--session-id', prompt: 'one\n\ntwo' },
    { way: '--resume', prompt: 'three' },
  ]);
});

test('tools that did not start end the turn at once', async () => {
  const failed = INIT.replace('connected', 'failed');
  const { conversation } = await opened(fakeClaude(`${failed}; exec sleep 60`));
  await expect(conversation.turn('one', NEVER)).rejects.toMatchObject({
    ...{ code: 'agent.failed', message: expect.stringContaining('MCP server legion') },
  });
});

test('a wait for quota that is planned to be long ends the turn at once', async () => {
  const retry = {
    type: 'system',
    subtype: 'api_retry',
    attempt: 1,
    retry_delay_ms: 50_000,
    error_status: 429,
  };
  const { conversation } = await opened(fakeClaude(`${INIT}; ${echo(retry)}; exec sleep 60`));
  expect(await conversation.turn('one', NEVER)).toEqual({ how: 'rate limited', resetAt: expect.any(Number) });
});

function turnOf(script: string) {
  const { program, folder } = fakeClaude(script);
  const process = { argv: [program, '-p'] as const, cwd: folder, env: { PATH }, stdin: '{}\n' };
  const hearing = { emit: () => undefined, begun: () => undefined, heard: () => undefined };
  return takeOneTurn(process, hearing, NEVER, { firstLine: 500, leaving: 300 });
}

test('one that never says a word is ended, with a fault', async () => {
  await expect(turnOf('exec sleep 60')).rejects.toMatchObject({
    ...{ code: 'agent.failed', message: expect.stringContaining('said nothing') },
  });
});

test('one that does not leave after its result is ended, and the result counts', async () => {
  expect(await turnOf(`${NORMAL}; exec sleep 60`)).toEqual({ how: 'ended' });
});

test('one that is silent in the midst of its turn is left alone', async () => {
  expect(await turnOf(`${INIT}; sleep 1.2; ${RESULT}`)).toEqual({ how: 'ended' });
});
