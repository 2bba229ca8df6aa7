import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  chooseSocketPath,
  MAX_SOCKET_PATH_BYTES,
} from '../../../src/daemon/composition/open-state-folder.ts';

const LONG = `/home/${'a'.repeat(100)}/legion`;
const own = `/tmp/legion-${process.getuid?.()}/`;

test('puts the socket in the state directory if the path is short enough in bytes', () => {
  const state = `/${'s'.repeat(MAX_SOCKET_PATH_BYTES - '//daemon.sock'.length)}`;
  expect(chooseSocketPath(state, {})).toBe(join(state, 'daemon.sock'));
  expect(chooseSocketPath(`${state}s`, {}).startsWith(own)).toBe(true);
  // This path has more bytes than characters.
  expect(chooseSocketPath(`/${'ß'.repeat(50)}`, {}).startsWith(own)).toBe(true);
});

test("if the path in the state directory is too long, uses the user's runtime directory, or else a directory in /tmp", () => {
  const inRuntime = chooseSocketPath(LONG, { XDG_RUNTIME_DIR: '/var' });
  expect(inRuntime).toMatch(/^\/var\/legion\/[0-9a-f]{24}\.sock$/);
  for (const runtime of ['', 'relative', '/nowhere', LONG]) {
    const inTemporary = chooseSocketPath(LONG, { XDG_RUNTIME_DIR: runtime });
    expect(inTemporary.startsWith(own), runtime).toBe(true);
    expect(inTemporary.length).toBeLessThanOrEqual(MAX_SOCKET_PATH_BYTES);
  }
});

test('returns the same path at every start, and a different path for each legion', () => {
  expect(chooseSocketPath(LONG, {})).toBe(chooseSocketPath(LONG, {}));
  expect(chooseSocketPath(LONG, {})).not.toBe(chooseSocketPath(`${LONG}2`, {}));
});
