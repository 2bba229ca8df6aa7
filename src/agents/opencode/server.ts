/** One `opencode serve` of a worker's own: on a port of loopback that it chose, behind a password that only its children see. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { LegionError } from '../../core/model/fault.ts';
import type { SessionOrder } from '../../driving/dialect.ts';
import { readProcFile } from '../../lib/process/proc-table.ts';
import { type Api, apiAt } from './api.ts';
import { serverEnvironment } from './configuration.ts';

/** Two to four seconds on an idle machine; one with twenty workers that start at once is not idle. */
const START_MS = 90_000;
const LOOK_EVERY_MS = 20;
/** Another process may take the port between our look and its start. */
const PORTS_TRIED = 3;
/** After SIGTERM. A server with a tool in hand does not end by itself, so waiting longer gains nothing. */
const TERM_MS = 3_000;
const KILL_MS = 5_000;
/** Characters of its output that are kept: the end says what went wrong. */
const OUTPUT_KEPT = 8_192;
const PASSWORD_BYTES = 32;

export interface Server {
  readonly api: Api;
  readonly startedAt: number;
  /** Resolves with its last words when its process is gone. */
  readonly gone: Promise<string>;
  isGone(): boolean;
  /** Bytes of memory it holds; undefined where that cannot be read. */
  memory(): number | undefined;
  /** SIGTERM, then SIGKILL. Rejects with `agent.stuck` where neither helps. */
  stop(): Promise<void>;
}

type Order = Pick<SessionOrder, 'program' | 'workspace' | 'folder' | 'endpoint' | 'env'>;

/** Rejects with `agent.not_ready` where there is no such program, and with `agent.failed` where it does not begin to answer. */
export async function startServer(order: Order): Promise<Server> {
  for (let tries = 1; ; tries += 1) {
    const begun = await tryToStart(order);
    if (typeof begun !== 'string') return begun;
    if (tries === PORTS_TRIED || !/ServeError|EADDRINUSE|in use/.test(begun))
      throw new LegionError('agent.failed', `opencode's server ended before it answered: ${begun}`);
  }
}

/** Its last words, where it ended instead. */
async function tryToStart({ program, workspace, env, ...order }: Order): Promise<Server | string> {
  const port = await freePort();
  const password = randomBytes(PASSWORD_BYTES).toString('hex');
  // In this process group: whoever stops the group stops the server with it.
  const child = spawn(program, ['serve', '--hostname', '127.0.0.1', '--port', String(port)], {
    cwd: workspace,
    env: serverEnvironment(env, order, password),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-OUTPUT_KEPT);
    });
  try {
    await once(child, 'spawn');
  } catch (error) {
    throw new LegionError('agent.not_ready', `${program} could not be started: ${String(error)}`, {
      cause: error,
    });
  }
  // Not `close`: a tool may hold the output open for ever.
  const gone = once(child, 'exit').then(([code, signal]) =>
    `${signal ?? `exit code ${code}`} ${output.trim()}`.trim(),
  );
  const url = `http://127.0.0.1:${port}`;
  const server: Server = {
    api: apiAt({ url, password }),
    startedAt: Date.now(),
    gone,
    isGone: () => hasEnded(child),
    memory: () => memoryOf(child),
    stop: () => stop(child, gone),
  };
  try {
    const isReady = ready(server, () => output.includes(url));
    const early = await Promise.race([gone, isReady]);
    return early ?? server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

const healthSchema = z.object({ healthy: z.literal(true) });

/** Its own line comes first: whatever else might answer on the port is not given the password. */
async function ready(server: Server, isListening: () => boolean): Promise<undefined> {
  for (const until = Date.now() + START_MS; Date.now() < until; await sleep(LOOK_EVERY_MS)) {
    if (server.isGone()) return undefined;
    if (isListening() && (await isHealthy(server.api))) return undefined;
  }
  throw new LegionError('agent.failed', `opencode's server did not answer within ${START_MS / 1_000} s`);
}

/** One that has just begun to listen may refuse, or take its time. */
function isHealthy(api: Api): Promise<boolean> {
  return api.get('/global/health', healthSchema).then(
    () => true,
    () => false,
  );
}

async function stop(child: ChildProcess, gone: Promise<string>): Promise<void> {
  for (const [signal, patience] of [['SIGTERM', TERM_MS] as const, ['SIGKILL', KILL_MS] as const]) {
    if (hasEnded(child)) break;
    child.kill(signal);
    await Promise.race([gone, sleep(patience, undefined, { ref: false })]);
  }
  child.stdout?.destroy();
  child.stderr?.destroy();
  if (!hasEnded(child))
    throw new LegionError('agent.stuck', `process ${child.pid} is still there after SIGKILL`);
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function memoryOf({ pid }: ChildProcess): number | undefined {
  const status = pid === undefined ? undefined : readProcFile(pid, 'status');
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status ?? '') ?? [];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024;
}

/** OpenCode's own choice is 4096 as long as that is free, which two that start together both find. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string')
    throw new LegionError('agent.failed', 'there is no free port');
  return address.port;
}
