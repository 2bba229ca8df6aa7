import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCodexLine } from '../../../src/agents/codex/steps.ts';
import { assertProperty } from '../../support/property.ts';
import { RECORDED, THREAD } from './recorded.ts';

test('parses every line Codex writes', () => {
  expect(Object.values(RECORDED).filter((line) => parseCodexLine(line) === undefined)).toEqual([]);
  expect(parseCodexLine(RECORDED.thread)).toEqual({ type: 'thread.started', thread_id: THREAD });
  expect(parseCodexLine(RECORDED.completed)).toEqual({
    type: 'turn.completed',
    usage: { input_tokens: 303, output_tokens: 63 },
  });
  expect(parseCodexLine(RECORDED.commandFails)).toMatchObject({
    item: { id: 'item_3', type: 'command_execution', command: "/bin/bash -c 'exit 3'", status: 'failed' },
  });
});

test('parses the known parts of a line from a later version, or ignores the line', () => {
  expect(parseCodexLine('{"type":"turn.paused"}')).toBeUndefined();
  expect(
    parseCodexLine('{"type":"item.completed","item":{"id":"i","type":"new","text":{"rich":true}}}'),
  ).toEqual({
    type: 'item.completed',
    item: { id: 'i', type: 'new', text: undefined },
  });
});

test('never throws, whatever the line contains', () => {
  const mangled = fc
    .tuple(fc.constantFrom(...Object.values(RECORDED)), fc.nat(), fc.string())
    .map(([line, at, text]) => line.slice(0, at % line.length) + text + line.slice(at % line.length));
  assertProperty(
    fc.property(fc.oneof(mangled, fc.json(), fc.string()), (line) => {
      parseCodexLine(line);
    }),
  );
});
