/** Fakes a daemon: a real HTTP server that records requests and responds as the test specifies. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { readWorkerEnvironment, type WorkerEnvironment } from '../../src/protocol/worker-environment.ts';

export interface Heard {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly id: string | undefined;
  readonly input: unknown;
}

export type Reply = { readonly status?: number; readonly body: unknown } | 'hang' | 'reset';

export interface WireEdge {
  readonly socket: string;
  readonly heard: Heard[];
  close(): Promise<void>;
}

/** Each server has its own socket, like daemons with different settings. */
let opened = 0;

/**
 * Calls `reply` for each request. `at` is the directory in which the server's `daemon.json` is
 * written.
 */
export async function openWireEdge(at: string, reply: (heard: Heard) => Reply): Promise<WireEdge> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const one: Heard = {
        path: request.url ?? '',
        authorization: request.headers.authorization,
        id: String(request.headers['idempotency-key']),
        input: JSON.parse(body),
      };
      heard.push(one);
      const answer = reply(one);
      if (answer === 'reset') request.socket.destroy();
      else if (answer !== 'hang') {
        response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' });
        response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
      }
    });
  });
  opened += 1;
  const socket = join(at, `daemon-${opened}.sock`);
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  writeDaemonFile(at, socket);
  return {
    socket,
    heard,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export function writeDaemonFile(at: string, socket?: string): void {
  const file = {
    legion: 'demo',
    url: 'http://127.0.0.1:1',
    socket,
    pid: process.pid,
    startedAt: 0,
    version: '0.1.0',
  };
  writeFileSync(join(at, 'daemon.json'), JSON.stringify(file));
}

/** Leaves a socket behind as a killed daemon does. */
export function leaveStaleSocket(path: string): void {
  const script = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', script]);
}

export interface Fixture {
  readonly state: string;
  readonly outbox: string;
  readonly env: Readonly<Record<string, string>>;
  readonly environment: WorkerEnvironment;
  remove(): void;
}

export function newWorker(mode: string): Fixture {
  const folder = mkdtempSync(join(tmpdir(), 'legion-speech-'));
  const outbox = join(folder, 'workspace', 'outbox');
  const env = {
    LEGION_WORKER: `demo-1-${mode}`,
    LEGION_ISSUE: 'DEMO-1',
    LEGION_MODE: mode,
    LEGION_PHASE: mode,
    LEGION_PURPOSE: 'work',
    LEGION_ATTEMPT: '3',
    LEGION_WORKER_TOKEN: 'lw1.secret-of-this-attempt',
    LEGION_STATE: folder,
    LEGION_OUTBOX: outbox,
  };
  const environment = readWorkerEnvironment(env);
  if (!environment.ok) throw new Error(environment.fault.message);
  return {
    state: folder,
    outbox,
    env,
    environment: environment.value,
    remove: () => rmSync(folder, { recursive: true }),
  };
}
