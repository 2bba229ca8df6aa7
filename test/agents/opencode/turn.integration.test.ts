/** Tests that a turn always ends, whatever events the server sends, loses or repeats. */
import { expect, test } from 'vitest';
import { runOpencodeTurn } from '../../../src/agents/opencode/turn.ts';
import type { AgentLine } from '../../../src/protocol/agent-line.ts';
import { OWN, type ServerEdge, useServerEdge } from './server-edge.ts';

const serverEdge = useServerEdge();

const PROMPT = `POST /session/${OWN}/prompt_async`;
const ABORT = `POST /session/${OWN}/abort`;
const NEVER = new Promise<string>(() => undefined);

function begin(edge: ServerEdge, { gone = NEVER, interrupt = new AbortController() } = {}) {
  const lines: AgentLine[] = [];
  const asked: string[] = [];
  const world = {
    api: edge.api,
    gone,
    session: OWN,
    model: undefined,
    workspace: '/w',
    emit: (line: AgentLine) => void lines.push(line),
    ask: async (question: string) => void asked.push(question),
  };
  const end = runOpencodeTurn(world, 'do it', interrupt.signal);
  end.catch(() => undefined);
  return { lines, asked, end, interrupt };
}

/** Runs `act` when the prompt arrives. */
function onPrompt(edge: ServerEdge, act: () => void): void {
  edge.onTold = (what) => {
    if (what === PROMPT) act();
  };
}

function error(name: string, message: string) {
  return { sessionID: OWN, error: { name, data: { message } } };
}

test('sends the prompt in the request body, and ignores `idle` until the session has been busy', async () => {
  const edge = await serverEdge();
  onPrompt(edge, () => {
    // The end of the previous turn is reported twice.
    edge.idle();
    edge.busy();
    const part = { type: 'text', id: 'prt_1', text: 'hello', time: { end: 1 } };
    edge.say('message.part.updated', { sessionID: OWN, part });
    edge.idle();
  });
  const { lines, end } = begin(edge);
  expect(await end).toEqual({ end: { how: 'ended' }, isIdle: true });
  expect(lines).toEqual([{ type: 'text', text: 'hello' }]);
  expect(edge.told).toEqual([{ what: PROMPT, body: { parts: [{ type: 'text', text: 'do it' }] } }]);
});

test('after a lost connection, polls for the messages, questions and end of turn that it missed', async () => {
  const edge = await serverEdge();
  onPrompt(edge, () => {
    edge.answers['/permission'] = [{ id: 'per_1', permission: 'bash', patterns: ['ls'] }];
    edge.answers[`/session/${OWN}/message`] = [
      {
        info: { id: 'msg_1', role: 'user', time: {} },
        parts: [{ type: 'text', id: 'prt_1', text: 'do it' }],
      },
      {
        info: { id: 'msg_2', role: 'assistant', time: { completed: 1 } },
        parts: [{ type: 'text', id: 'prt_2', text: 'hello', time: { end: 1 } }, { type: 'step-start' }],
      },
    ];
    edge.breakOff();
  });
  const { lines, end } = begin(edge);
  expect(await end).toEqual({ end: { how: 'ended' }, isIdle: true });
  expect(lines).toEqual([{ type: 'text', text: 'hello' }]);
  await expect.poll(() => edge.told.map(({ what }) => what)).toContain('POST /permission/per_1/reply');
});

test("an error ends the turn with the error's message if no activity follows", async () => {
  const edge = await serverEdge();
  onPrompt(edge, () => edge.say('session.error', error('UnknownError', 'Agent not found: "zz".')));
  await expect(begin(edge).end).rejects.toMatchObject({
    code: 'agent.failed',
    message: 'UnknownError Agent not found: "zz".',
  });
});

test('ignores an error from which the agent recovered, and an interrupt that belongs to the previous turn', async () => {
  const edge = await serverEdge();
  onPrompt(edge, () => {
    edge.say('session.error', error('MessageAbortedError', 'Aborted'));
    edge.busy();
    edge.say('session.error', error('ContextOverflowError', 'too long'));
    edge.say('message.updated', { sessionID: OWN, info: { role: 'assistant', time: { completed: 1 } } });
    edge.idle();
  });
  expect((await begin(edge).end).end).toEqual({ how: 'ended' });
});

test('a retry delay of an hour ends the turn early, even if only a subsession waits', async () => {
  const edge = await serverEdge();
  const next = Date.now() + 3_600_000;
  onPrompt(edge, () => {
    edge.busy();
    const status = { type: 'retry', attempt: 1, message: 'no more today', next };
    edge.say('session.status', { sessionID: 'ses_helper', status });
  });
  expect(await begin(edge).end).toEqual({ end: { how: 'rate limited', resetAt: next }, isIdle: true });
  expect(edge.told.at(-1)?.what).toBe(ABORT);
});

test('sends an interrupt to the server and checks whether the session is idle', async () => {
  const edge = await serverEdge();
  onPrompt(edge, () => {
    edge.answers['/session/status'] = { [OWN]: { type: 'busy' } };
    edge.busy();
    interrupt.abort();
  });
  const { end, interrupt } = begin(edge);
  setTimeout(() => {
    edge.answers['/session/status'] = {};
  }, 300);
  expect(await end).toEqual({ end: { how: 'interrupted' }, isIdle: true });
  expect(edge.told.map(({ what }) => what)).toEqual([PROMPT, ABORT]);
});

test('delays an interrupt until the turn has started, because OpenCode would ignore an earlier abort', async () => {
  const edge = await serverEdge();
  onPrompt(edge, () => void setTimeout(() => edge.busy(), 300));
  let begunAt = 0;
  const seen = edge.onTold;
  edge.onTold = (what) => {
    if (what === ABORT) begunAt = performance.now();
    seen(what);
  };
  const { end, interrupt } = begin(edge);
  interrupt.abort();
  const from = performance.now();
  expect(await end).toEqual({ end: { how: 'interrupted' }, isIdle: true });
  expect(begunAt - from).toBeGreaterThan(250);
});

test('forwards a repeated question only once, and then rejects the question in OpenCode', async () => {
  const edge = await serverEdge();
  const question = { id: 'que_1', questions: [{ question: 'Which?', options: [] }] };
  edge.onTold = (what) => {
    if (what === PROMPT) {
      edge.busy();
      edge.say('question.asked', question);
      edge.say('question.asked', question);
    }
    if (what.endsWith('/reject')) edge.idle();
  };
  const { lines, asked, end } = begin(edge);
  expect((await end).end).toEqual({ how: 'ended' });
  expect(asked).toEqual(['Which?']);
  expect(lines).toEqual([{ type: 'question', text: 'Which?' }]);
  expect(edge.told.map(({ what }) => what)).toEqual([PROMPT, 'POST /question/que_1/reject']);
});

test('reports a server that exits during a turn as a fault with its last output', async () => {
  const edge = await serverEdge();
  const { promise: gone, resolve } = Promise.withResolvers<string>();
  onPrompt(edge, () => resolve('SIGKILL out of memory'));
  await expect(begin(edge, { gone }).end).rejects.toMatchObject({
    code: 'agent.failed',
    message: expect.stringContaining('SIGKILL out of memory'),
  });
});
