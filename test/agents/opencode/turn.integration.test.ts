/** A turn ends one way or another, whatever the server tells, forgets to tell, or tells twice. */
import { expect, test } from 'vitest';
import { takeTurn } from '../../../src/agents/opencode/turn.ts';
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
    ...{ api: edge.api, gone, session: OWN, model: undefined, workspace: '/w' },
    emit: (line: AgentLine) => void lines.push(line),
    ask: async (question: string) => void asked.push(question),
  };
  const end = takeTurn(world, 'do it', interrupt.signal);
  end.catch(() => undefined);
  return { lines, asked, end, interrupt };
}

/** What happens when the prompt has come. */
function onPrompt(edge: ServerEdge, act: () => void): void {
  edge.onTold = (what) => {
    if (what === PROMPT) act();
  };
}

function error(name: string, message: string) {
  return { sessionID: OWN, error: { name, data: { message } } };
}

test('the prompt goes into the body; being idle counts only after having been busy', async () => {
  const edge = await serverEdge();
  onPrompt(edge, () => {
    // The end of the turn before it is told twice.
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

test('what the connection lost is read afterwards: what was said, what was asked, and that it is over', async () => {
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

test('an error after which nothing follows ends the turn with its words', async () => {
  const edge = await serverEdge();
  onPrompt(edge, () => edge.say('session.error', error('UnknownError', 'Agent not found: "zz".')));
  await expect(begin(edge).end).rejects.toMatchObject({
    ...{ code: 'agent.failed', message: 'UnknownError Agent not found: "zz".' },
  });
});

test('an error that the agent helped itself out of is none, and the interruption of the turn before is none', async () => {
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

test('a wait of an hour cuts the turn short, also where a helper session waits', async () => {
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

test('an interruption is told to the server, and whether the session is idle is looked at', async () => {
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

test('an interruption before the turn has begun waits for its beginning: an abort would come to nothing', async () => {
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

test('a question is handed on and then ended; what is asked twice is answered once', async () => {
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

test('a server that ends in the midst of a turn is a fault with its last words', async () => {
  const edge = await serverEdge();
  const { promise: gone, resolve } = Promise.withResolvers<string>();
  onPrompt(edge, () => resolve('SIGKILL out of memory'));
  await expect(begin(edge, { gone }).end).rejects.toMatchObject({
    ...{ code: 'agent.failed', message: expect.stringContaining('SIGKILL out of memory') },
  });
});
