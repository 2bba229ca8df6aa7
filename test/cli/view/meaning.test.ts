import { expect, test } from 'vitest';
import { meaningOf } from '../../../src/cli/commands/view/meaning.ts';

test('a line is said, with "!" it interrupts, /quit leaves, and nothing is nothing', () => {
  expect(meaningOf(' go on ')).toEqual({ kind: 'say', text: 'go on', interrupt: false });
  expect(meaningOf('! stop that')).toEqual({ kind: 'say', text: 'stop that', interrupt: true });
  expect(meaningOf('/quit ')).toEqual({ kind: 'quit' });
  expect(meaningOf('/quit now')).toEqual({ kind: 'say', text: '/quit now', interrupt: false });
  expect(meaningOf('!')).toEqual({ kind: 'wordless' });
  expect(meaningOf('   ')).toEqual({ kind: 'nothing' });
});
