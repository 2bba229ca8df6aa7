/**
 * Tests that a login code is accepted only from processes of the daemon's own user. This applies
 * only if the system shows which user owns a connection.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findOwnerOfPorts, findSocketOwner } from '../../src/http/routes/session.ts';
import { parseTcpTable } from '../../src/lib/process/proc-table.ts';
import { skipUnlessPermitted } from '../support/required-program.ts';
import { enter, newCode } from './browser.ts';
import { type Legion, openLegion } from './served.ts';

const SOCKETS =
  parseTcpTable(`  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:3438 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 8000 1 0 100 0 0 10 0
   1: 0100007F:3438 0100007F:C001 01 00000000:00000000 00:00000000 00000000  1000        0 8001 1 0 20 4 30 10 -1
   2: 0100007F:C001 0100007F:3438 01 00000000:00000000 00:00000000 00000000  1234        0 8002 1 0 20 4 30 10 -1
   3: 0000000000000000FFFF00000100007F:C002 0000000000000000FFFF00000100007F:3438 01 0:0 0:0 0  77 0 8003
`);

let legion: Legion;
beforeAll(async () => {
  legion = await openLegion();
});
afterAll(() => legion.close());

test('finds the owner of the other end of a connection, over IPv4 and over IPv6', () => {
  expect(findOwnerOfPorts(SOCKETS, 0xc001, 0x3438)).toBe(1234);
  expect(findOwnerOfPorts(SOCKETS, 0xc002, 0x3438)).toBe(77);
  expect(findOwnerOfPorts(SOCKETS, 0x3438, 0xc001)).toBe(1000);
  expect(findOwnerOfPorts(SOCKETS, 0xc003, 0x3438)).toBeUndefined();
  expect(findOwnerOfPorts([], 0xc001, 0x3438)).toBeUndefined();
});

test('finds the user of a real connection on Linux', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const accepted = once(server, 'connection');
  const client = connect(port, '127.0.0.1');
  const [socket] = (await accepted) as [Socket];
  const known = process.platform === 'linux' ? process.getuid?.() : undefined;
  expect(findSocketOwner(socket)).toBe(known);
  client.destroy();
  socket.destroy();
  server.close();
  await once(server, 'close');
});

test('refuses a login code from another user, and keeps the code valid', async (context) => {
  // Only root can switch to another user.
  skipUnlessPermitted(context, process.getuid?.() === 0, 'switching to another user');
  const door = await legion.serve();
  const code = await newCode(door);
  const asking = `
    const answer = await fetch('http://127.0.0.1:${door.port}/session', {
      method: 'POST',
      headers: { origin: 'http://127.0.0.1:${door.port}', 'content-type': 'application/json' },
      body: JSON.stringify({ code: '${code}' }),
    });
    console.log(answer.status, (await answer.json()).error.code);`;
  const nobody = { uid: 65_534, gid: 65_534, cwd: '/', env: {} };
  const program = [process.execPath, ['--input-type=module', '--eval', asking]] as const;
  const { stdout } = await promisify(execFile)(...program, nobody);
  expect(stdout).toBe('403 http.forbidden\n');
  expect((await enter(door, code)).status).toBe(201);
  await door.close();
});
