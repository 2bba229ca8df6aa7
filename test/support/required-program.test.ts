/** Tests that a test whose program is missing is skipped on a person's machine and fails in CI. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { skipUnlessPermitted, skipWithoutProgram } from './required-program.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'legion-programs-'));
  vi.stubEnv('PATH', folder);
  vi.stubEnv('CI', undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

test('skips a test whose program is missing, with the reason', () => {
  expect(() => skipWithoutProgram(recorded, 'tmux')).toThrow('skipped: tmux is not on the PATH');
});

test('fails a test whose program is missing if CI is set', () => {
  vi.stubEnv('CI', 'true');
  expect(() => skipWithoutProgram(recorded, 'tmux')).toThrow(
    'tmux is not on the PATH, and tests must not be skipped in CI',
  );
});

test('runs a test whose program is on the PATH', () => {
  const program = join(folder, 'tmux');
  writeFileSync(program, '');
  expect(() => skipWithoutProgram(recorded, 'tmux')).toThrow('skipped');
  chmodSync(program, 0o755);
  expect(() => skipWithoutProgram(recorded, 'tmux')).not.toThrow();
});

test('skips a test if the machine does not permit what the test needs', () => {
  expect(() => skipUnlessPermitted(recorded, false, 'mounts')).toThrow(
    'skipped: this machine does not permit mounts',
  );
  expect(() => skipUnlessPermitted(recorded, true, 'mounts')).not.toThrow();
});

/** A test context that throws when Vitest would mark the test as skipped. */
const recorded = {
  skip(condition: boolean | string = true, note = ''): never {
    if (condition !== false) throw new Error(`skipped: ${typeof condition === 'string' ? condition : note}`);
    return undefined as never;
  },
};
