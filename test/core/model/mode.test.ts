import { describe, expect, test } from 'vitest';
import { MODES, modeOfPhase, PHASES, readMode, roleOf } from '../../../src/domain/mode.ts';

describe('reading a mode', () => {
  test.each(MODES)('%s is read in any case and with space around it', (mode) => {
    for (const written of [mode, mode.toUpperCase(), ` ${mode}\n`]) expect(readMode(written)).toBe(mode);
  });

  test.each(['finish', 'Finish', ' FINISH '])('%j is an alias of merge', (name) => {
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
  ])('%j is no mode', (name) => {
    expect(readMode(name)).toBeUndefined();
  });
});

describe('the mode of a phase', () => {
  test.each(PHASES)('%s', (phase) => {
    expect(modeOfPhase(phase)).toBe(phase === 'retro' ? 'implement' : phase);
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
  expect(roleOf(mode)).toBe(role);
});

test('who writes the code is never who reviews or tests it', () => {
  for (const judge of ['review', 'test'] as const) expect(roleOf(judge)).not.toBe(roleOf('implement'));
});
