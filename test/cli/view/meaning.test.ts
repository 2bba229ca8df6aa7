import { expect, test } from 'vitest';
import { parseTypedInput } from '../../../src/cli/commands/workers/view/render.ts';

test('sends a line, interrupts the worker on "!", leaves on /quit, and ignores an empty line', () => {
  expect(parseTypedInput(' go on ')).toEqual({ kind: 'say', text: 'go on', interrupt: false });
  expect(parseTypedInput('! stop that')).toEqual({ kind: 'say', text: 'stop that', interrupt: true });
  expect(parseTypedInput('/quit ')).toEqual({ kind: 'quit' });
  expect(parseTypedInput('/quit now')).toEqual({ kind: 'say', text: '/quit now', interrupt: false });
  expect(parseTypedInput('!')).toEqual({ kind: 'wordless' });
  expect(parseTypedInput('   ')).toEqual({ kind: 'nothing' });
});
