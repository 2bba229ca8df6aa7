import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SOCKET_PATH_MAX_BYTES, socketPathFor } from '../../src/daemon/compose-socket.ts';

const LONG = `/home/${'a'.repeat(100)}/legion`;
const own = `/tmp/legion-${process.getuid?.()}/`;

test('the socket is in the state folder where its path is short enough, to the byte', () => {
  const state = `/${'s'.repeat(SOCKET_PATH_MAX_BYTES - '//daemon.sock'.length)}`;
  expect(socketPathFor(state, {})).toBe(join(state, 'daemon.sock'));
  expect(socketPathFor(`${state}s`, {}).startsWith(own)).toBe(true);
  // Fewer characters than bytes.
  expect(socketPathFor(`/${'ß'.repeat(50)}`, {}).startsWith(own)).toBe(true);
});

test('a longer one moves to the runtime folder of the user, or else to a folder of its own in /tmp', () => {
  const inRuntime = socketPathFor(LONG, { XDG_RUNTIME_DIR: '/var' });
  expect(inRuntime).toMatch(/^\/var\/legion\/[0-9a-f]{24}\.sock$/);
  for (const runtime of ['', 'relative', '/nowhere', LONG]) {
    const inTemporary = socketPathFor(LONG, { XDG_RUNTIME_DIR: runtime });
    expect(inTemporary.startsWith(own), runtime).toBe(true);
    expect(inTemporary.length).toBeLessThanOrEqual(SOCKET_PATH_MAX_BYTES);
  }
});

test('it is the same at every start, and another for every legion', () => {
  expect(socketPathFor(LONG, {})).toBe(socketPathFor(LONG, {}));
  expect(socketPathFor(LONG, {})).not.toBe(socketPathFor(`${LONG}2`, {}));
});
