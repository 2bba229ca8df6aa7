/** What lines of OpenCode's event stream mean; they are as its server wrote them, shortened. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEvent, readPart } from '../../../src/agents/opencode/events.ts';
import { assertProperty } from '../../support/property.ts';

const OWN = 'ses_e1cd6ce73ffeLxA1s7xbwxk1vR';

function eventOf(type: string, properties: object): string {
  return JSON.stringify({ id: 'evt_1e32', type, properties: { sessionID: OWN, ...properties } });
}

test('a status is busy, idle, or a wait for the next try', () => {
  expect(readEvent(eventOf('session.status', { status: { type: 'busy' } }))).toEqual({
    ...{ kind: 'status', session: OWN, status: { type: 'busy' } },
  });
  const retry = { type: 'retry', attempt: 1, message: 'usage limit', next: 1794816954428 };
  expect(readEvent(eventOf('session.status', { status: retry }))).toMatchObject({ status: retry });
});

test('parts are texts, tools and finished steps; others are nothing', () => {
  const text = { id: 'prt_1', type: 'text', text: 'Hello ', time: { start: 1, end: 2 } };
  expect(readEvent(eventOf('message.part.updated', { part: text, time: 2 }))).toMatchObject({
    part: { text: 'Hello ' },
  });
  const state = { status: 'completed', input: { command: 'exit 3' }, metadata: { exit: 3, output: '' } };
  const tool = { id: 'prt_2', type: 'tool', tool: 'bash', callID: 'call_1', state };
  expect(readEvent(eventOf('message.part.updated', { part: tool }))).toMatchObject({
    part: { callID: 'call_1', state: { metadata: { exit: 3 } } },
  });
  const start = { id: 'prt_3', type: 'step-start', snapshot: '5534' };
  expect(readEvent(eventOf('message.part.updated', { part: start }))).toBeUndefined();
  expect(readPart(start)).toBeUndefined();
});

test('an answer counts when it is complete and without an error', () => {
  const info = { id: 'msg_1', role: 'assistant', time: { created: 1 } };
  const complete = { ...info, time: { created: 1, completed: 2 } };
  expect(readEvent(eventOf('message.updated', { info }))).toBeUndefined();
  expect(readEvent(eventOf('message.updated', { info: complete }))).toEqual({
    kind: 'answered',
    session: OWN,
  });
  const failed = { ...complete, error: { name: 'APIError', data: {} } };
  expect(readEvent(eventOf('message.updated', { info: failed }))).toBeUndefined();
  expect(readEvent(eventOf('message.updated', { info: { ...complete, role: 'user' } }))).toBeUndefined();
});

test('errors, permissions and questions come with what is needed to answer them', () => {
  const error = { name: 'APIError', data: { message: 'bad key', statusCode: 401, isRetryable: false } };
  expect(readEvent(eventOf('session.error', { error }))).toMatchObject({
    kind: 'error',
    session: OWN,
    error: { name: 'APIError' },
  });
  const asked = { id: 'per_1', permission: 'edit', patterns: ['zz.txt'], metadata: {}, always: ['*'] };
  expect(readEvent(eventOf('permission.asked', asked))).toEqual({
    kind: 'permission',
    asked: { id: 'per_1', permission: 'edit', patterns: ['zz.txt'] },
  });
  const questions = [{ question: 'Which?', header: 'H', options: [{ label: 'a', description: 'A' }] }];
  expect(readEvent(eventOf('question.asked', { id: 'que_1', questions }))).toMatchObject({
    asked: { id: 'que_1' },
  });
});

test('readEvent returns an event or undefined for any text and never throws', () => {
  const any = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc
      .record({
        type: fc.constantFrom('session.status', 'message.updated', 'question.asked'),
        properties: fc.anything(),
      })
      .map((event) => JSON.stringify(event)),
  );
  assertProperty(fc.property(any, (text) => ['undefined', 'object'].includes(typeof readEvent(text))));
  expect(readEvent('{"type":"plugin.added","properties":{"id":"agent"}}')).toBeUndefined();
  expect(readEvent('not JSON')).toBeUndefined();
});
