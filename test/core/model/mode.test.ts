import { describe, expect, test } from 'vitest';
import { getPhaseMode, MODES, PHASES, readMode, toWorkerRole } from '../../../src/core/model/mode.ts';

describe('readMode', () => {
  test.each(MODES)('reads %s in any case and with surrounding space', (mode) => {
    for (const written of [mode, mode.toUpperCase(), ` ${mode}\n`]) expect(readMode(written)).toBe(mode);
  });

  test.each(['finish', 'Finish', ' FINISH '])('reads %j as merge', (name) => {
    expect(readMode(name)).toBe('merge');
  });

  test.each([
    '',
    'retro',
    'implementer',
    'merge-now',
    'constructor',
    '__proto__',
    'hasOwnProperty',
    'toString',
    'pl\u0430n',
    'plan\0',
    'plan\u200b',
  ])('does not read %j as a mode', (name) => {
    expect(readMode(name)).toBeUndefined();
  });
});

describe('getPhaseMode', () => {
  test.each(PHASES)('returns the mode of %s', (phase) => {
    expect(getPhaseMode(phase)).toBe(phase === 'retro' ? 'implement' : phase);
  });
});

test.each([
  ['architect', 'review'],
  ['plan', 'review'],
  ['implement', 'impl'],
  ['test', 'review'],
  ['review', 'review'],
  ['merge', 'impl'],
] as const)('a worker in mode %s acts as role %s', (mode, role) => {
  expect(toWorkerRole(mode)).toBe(role);
});

test('the implementer’s role differs from the reviewer’s and the tester’s', () => {
  for (const judge of ['review', 'test'] as const)
    expect(toWorkerRole(judge)).not.toBe(toWorkerRole('implement'));
});
