import fc from 'fast-check';
import { expect, test } from 'vitest';
import { heardIn } from '../../../src/agents/codex/heard.ts';
import { assertProperty } from '../../support/property.ts';
import { RECORDED, THREAD } from './recorded.ts';

test('every line Codex writes is understood', () => {
  expect(Object.values(RECORDED).filter((line) => heardIn(line) === undefined)).toEqual([]);
  expect(heardIn(RECORDED.thread)).toEqual({ type: 'thread.started', thread_id: THREAD });
  expect(heardIn(RECORDED.completed)).toEqual({
    type: 'turn.completed',
    usage: { input_tokens: 303, output_tokens: 63 },
  });
  expect(heardIn(RECORDED.commandFails)).toMatchObject({
    item: { id: 'item_3', type: 'command_execution', command: "/bin/bash -c 'exit 3'", status: 'failed' },
  });
});

test('a line of a later version says what is known of it, or nothing', () => {
  expect(heardIn('{"type":"turn.paused"}')).toBeUndefined();
  expect(heardIn('{"type":"item.completed","item":{"id":"i","type":"new","text":{"rich":true}}}')).toEqual({
    type: 'item.completed',
    item: { id: 'i', type: 'new', text: undefined },
  });
});

test('whatever a line is, it is no exception', () => {
  const mangled = fc
    .tuple(fc.constantFrom(...Object.values(RECORDED)), fc.nat(), fc.string())
    .map(([line, at, text]) => line.slice(0, at % line.length) + text + line.slice(at % line.length));
  assertProperty(
    fc.property(fc.oneof(mangled, fc.json(), fc.string()), (line) => {
      heardIn(line);
    }),
  );
});
