/** Tests how a Claude Code session is started, continued and ended early, against a fake executable. */
import { expect, test } from 'vitest';
import { claudeCodeDialect } from '../../../src/agents/claude-code/dialect.ts';
import { runClaudeTurn } from '../../../src/agents/claude-code/turn.ts';
import type { AgentSessionOptions } from '../../../src/agents/runner/dialect.ts';
import type { AgentLine } from '../../../src/protocol/agent-line.ts';
import { type FakeClaude, fakeClaude } from './fake-claude.ts';

const SESSION = '924320b3-c96b-510f-b8c4-43e1040229e8';
const NEVER = new AbortController().signal;
const { PATH = '' } = process.env;

const echo = (line: object) => `echo '${JSON.stringify(line)}'`;
const INIT = echo({
  type: 'system',
  subtype: 'init',
  session_id: SESSION,
  mcp_servers: [{ name: 'legion', status: 'connected' }],
});
const WORDS = echo({ type: 'assistant', message: { content: [{ type: 'text', text: 'hello' }] } });
const RESULT = echo({ type: 'result', is_error: false, terminal_reason: 'completed', total_cost_usd: 0 });
const NORMAL = `${INIT}; ${WORDS}; ${RESULT}`;
const TAKEN = `echo 'Error: Session ID ${SESSION} is already in use.' >&2; exit 1`;
const UNKNOWN = `${echo({
  type: 'result',
  is_error: true,
  total_cost_usd: 0,
  errors: [`No conversation found with session ID: ${SESSION}`],
})}; exit 1`;

async function opened({ program, folder }: FakeClaude, more: Partial<AgentSessionOptions> = {}) {
  const lines: AgentLine[] = [];
  const order: AgentSessionOptions = {
    session: SESSION,
    native: undefined,
    isResumed: false,
    model: undefined,
    endpoint: undefined,
    workspace: folder,
    folder,
    program,
    env: { PATH },
    equipment: {
      mcp: { command: 'legion', args: [] },
      stopHook: ['legion'],
      skills: folder,
      rules: 'rules',
    },
    worker: {
      LEGION_WORKER: 'demo-1-implement',
      LEGION_ISSUE: 'DEMO-1',
      LEGION_MODE: 'implement',
      LEGION_PHASE: 'implement',
      LEGION_PURPOSE: 'start',
      LEGION_ATTEMPT: 1,
      LEGION_WORKER_TOKEN: 'token',
      LEGION_STATE: '/state',
      LEGION_OUTBOX: '/outbox',
    },
    ...more,
  };
  return { conversation: await claudeCodeDialect.open(order, (line) => lines.push(line)), lines };
}

test("starts a session with its first turn, continues it in later turns, and reports the session's start once", async () => {
  const fake = fakeClaude(NORMAL);
  const { conversation, lines } = await opened(fake);
  expect(await conversation.runTurn('one', NEVER)).toEqual({ how: 'ended' });
  expect(await conversation.runTurn('two', NEVER)).toEqual({ how: 'ended' });
  expect(fake.calls()).toEqual([
    { way: '--session-id', prompt: 'one' },
    { way: '--resume', prompt: 'two' },
  ]);
  const hello = { type: 'text', text: 'hello' };
  expect(lines).toEqual([{ type: 'started', session: SESSION }, hello, hello]);
});

test('continues an existing session even if Legion has lost its record of that session', async () => {
  const fake = fakeClaude(`if [ $way = --session-id ]; then ${TAKEN}; fi; ${NORMAL}`);
  const { conversation } = await opened(fake);
  expect(await conversation.runTurn('one', NEVER)).toEqual({ how: 'ended' });
  expect(fake.calls().map(({ way }) => way)).toEqual(['--session-id', '--resume']);
});

test('gives up on a session that can neither be started nor continued', async () => {
  const fake = fakeClaude(`if [ $way = --session-id ]; then ${TAKEN}; fi; ${UNKNOWN}`);
  const { conversation } = await opened(fake);
  await expect(conversation.runTurn('one', NEVER)).rejects.toMatchObject({ code: 'agent.session_unknown' });
  expect(fake.calls()).toHaveLength(2);
});

test('does not start a new session if the session to resume is missing', async () => {
  const fake = fakeClaude(UNKNOWN);
  const { conversation } = await opened(fake, { isResumed: true });
  await expect(conversation.runTurn('one', NEVER)).rejects.toMatchObject({ code: 'agent.session_unknown' });
  expect(fake.calls().map(({ way }) => way)).toEqual(['--resume']);
});

test('resends the prompt of a turn that was interrupted before its session was saved', async () => {
  // The first turn only reports its start. The second turn finds no saved session, so it starts the
  // session again.
  const fake = fakeClaude(`case $way$(wc -l < calls | tr -d ' ') in
--session-id1) ${INIT}; exec sleep 60;;
--resume2) ${UNKNOWN};;
esac
${NORMAL}`);
  const { conversation, lines } = await opened(fake);
  const interrupt = new AbortController();
  const first = conversation.runTurn('one', interrupt.signal);
  while (lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  interrupt.abort();
  expect(await first).toEqual({ how: 'interrupted' });
  expect(await conversation.runTurn('two', NEVER)).toEqual({ how: 'ended' });
  expect(await conversation.runTurn('three', NEVER)).toEqual({ how: 'ended' });
  expect(fake.calls()).toEqual([
    { way: '--session-id', prompt: 'one' },
    { way: '--resume', prompt: 'one\n\ntwo' },
    { way: '--session-id', prompt: 'one\n\ntwo' },
    { way: '--resume', prompt: 'three' },
  ]);
});

test('ends the turn immediately if the tools did not start', async () => {
  const failed = INIT.replace('connected', 'failed');
  const { conversation } = await opened(fakeClaude(`${failed}; exec sleep 60`));
  await expect(conversation.runTurn('one', NEVER)).rejects.toMatchObject({
    code: 'agent.failed',
    message: expect.stringContaining('MCP server legion'),
  });
});

test('ends the turn immediately if the agent plans a long wait for quota', async () => {
  const retry = {
    type: 'system',
    subtype: 'api_retry',
    attempt: 1,
    retry_delay_ms: 50_000,
    error_status: 429,
  };
  const { conversation } = await opened(fakeClaude(`${INIT}; ${echo(retry)}; exec sleep 60`));
  expect(await conversation.runTurn('one', NEVER)).toEqual({
    how: 'rate limited',
    resetAt: expect.any(Number),
  });
});

function turnOf(script: string) {
  const { program, folder } = fakeClaude(script);
  const process = { argv: [program, '-p'] as const, cwd: folder, env: { PATH }, stdin: '{}\n' };
  const hearing = {
    emit: () => undefined,
    onSessionStored: () => undefined,
    onPromptStored: () => undefined,
  };
  return runClaudeTurn(process, hearing, NEVER, { firstLine: 500, leaving: 300 });
}

test('ends an agent that never prints anything, and reports a fault', async () => {
  await expect(turnOf('exec sleep 60')).rejects.toMatchObject({
    code: 'agent.failed',
    message: expect.stringContaining('printed nothing'),
  });
});

test('ends an agent that does not exit after its result, and keeps the result', async () => {
  expect(await turnOf(`${NORMAL}; exec sleep 60`)).toEqual({ how: 'ended' });
});

test('does not interrupt an agent that falls silent in the middle of its turn', async () => {
  expect(await turnOf(`${INIT}; sleep 1.2; ${RESULT}`)).toEqual({ how: 'ended' });
});
