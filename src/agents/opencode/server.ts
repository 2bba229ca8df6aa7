/**
 * Runs a worker's own `opencode serve` on a loopback port, protected by a password that only the
 * server and its children know.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { LegionError } from '../../core/model/fault.ts';
import { readProcFile } from '../../lib/process/proc-table.ts';
import type { AgentSessionOptions } from '../runner/dialect.ts';
import { createOpencodeApi, type OpencodeApi } from './api.ts';
import { buildServerEnvironment } from './configuration.ts';

/**
 * Startup takes two to four seconds on an idle machine, longer when twenty workers start at once.
 */
const START_TIMEOUT_MS = 90_000;
const START_POLL_MS = 20;
/** Another process may take the port between our check and the server's start. */
const MAX_PORT_TRIES = 3;
/**
 * Grace period after SIGTERM. A server with a running tool does not exit by itself, so waiting
 * longer is pointless.
 */
const TERM_GRACE_MS = 3_000;
const KILL_GRACE_MS = 5_000;
/**
 * Maximum number of output characters kept. The end of the output is kept, because it contains the
 * error.
 */
const MAX_KEPT_OUTPUT_CHARS = 8_192;
const PASSWORD_BYTES = 32;

export interface OpencodeServer {
  readonly api: OpencodeApi;
  readonly startedAt: number;
  /** Resolves with the server's last output when its process has exited. */
  readonly gone: Promise<string>;
  isGone(): boolean;
  /** Memory in bytes. Undefined if it cannot be read. */
  readMemory(): number | undefined;
  /** Sends SIGTERM, then SIGKILL. Rejects with `agent.stuck` if the process survives both. */
  stop(): Promise<void>;
}

type ServerOptions = Pick<AgentSessionOptions, 'program' | 'workspace' | 'folder' | 'endpoint' | 'env'>;

/**
 * Rejects with `agent.not_ready` if the program does not exist, and with `agent.failed` if the
 * server does not respond in time.
 */
export async function startServer(options: ServerOptions): Promise<OpencodeServer> {
  for (let tries = 1; ; tries += 1) {
    const started = await tryToStart(options);
    if (typeof started !== 'string') return started;
    if (tries === MAX_PORT_TRIES || !/ServeError|EADDRINUSE|in use/.test(started))
      throw new LegionError('agent.failed', `opencode's server exited before it responded: ${started}`);
  }
}

/** Resolves to the running server. If the server exited instead, resolves to its last output. */
async function tryToStart({
  program,
  workspace,
  env,
  ...options
}: ServerOptions): Promise<OpencodeServer | string> {
  const port = await findFreePort();
  const password = randomBytes(PASSWORD_BYTES).toString('hex');
  // Stays in this process group, so stopping the group also stops the server.
  const child = spawn(program, ['serve', '--hostname', '127.0.0.1', '--port', String(port)], {
    cwd: workspace,
    env: buildServerEnvironment(env, options, password),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-MAX_KEPT_OUTPUT_CHARS);
    });
  try {
    await once(child, 'spawn');
  } catch (error) {
    throw new LegionError('agent.not_ready', `${program} could not be started: ${String(error)}`, {
      cause: error,
    });
  }
  // Does not wait for `close`, because a tool may keep the output open indefinitely.
  const exited = once(child, 'exit').then(([code, signal]) =>
    `${signal ?? `exit code ${code}`} ${output.trim()}`.trim(),
  );
  const url = `http://127.0.0.1:${port}`;
  const server: OpencodeServer = {
    api: createOpencodeApi({ url, password }),
    startedAt: Date.now(),
    gone: exited,
    isGone: () => hasEnded(child),
    readMemory: () => readMemoryBytes(child),
    stop: () => stopServerProcess(child, exited),
  };
  try {
    const isReady = waitUntilReady(server, () => output.includes(url));
    const exitText = await Promise.race([exited, isReady]);
    return exitText ?? server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

const healthSchema = z.object({ healthy: z.literal(true) });

/**
 * Waits until the server itself prints that it is listening, so that no other process on the port
 * receives the password.
 */
async function waitUntilReady(server: OpencodeServer, isListening: () => boolean): Promise<undefined> {
  for (const until = Date.now() + START_TIMEOUT_MS; Date.now() < until; await sleep(START_POLL_MS)) {
    if (server.isGone()) return undefined;
    if (isListening() && (await isHealthy(server.api))) return undefined;
  }
  throw new LegionError(
    'agent.failed',
    `opencode's server did not respond within ${START_TIMEOUT_MS / 1_000} s`,
  );
}

/** A server that has just started to listen may still refuse a request or respond slowly. */
function isHealthy(api: OpencodeApi): Promise<boolean> {
  return api.get('/global/health', healthSchema).then(
    () => true,
    () => false,
  );
}

async function stopServerProcess(child: ChildProcess, exited: Promise<string>): Promise<void> {
  for (const [signal, graceMs] of [
    ['SIGTERM', TERM_GRACE_MS] as const,
    ['SIGKILL', KILL_GRACE_MS] as const,
  ]) {
    if (hasEnded(child)) break;
    child.kill(signal);
    await Promise.race([exited, sleep(graceMs, undefined, { ref: false })]);
  }
  child.stdout?.destroy();
  child.stderr?.destroy();
  if (!hasEnded(child))
    throw new LegionError('agent.stuck', `process ${child.pid} is still running after SIGKILL`);
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function readMemoryBytes({ pid }: ChildProcess): number | undefined {
  const status = pid === undefined ? undefined : readProcFile(pid, 'status');
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status ?? '') ?? [];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024;
}

/**
 * Finds a free port for the server. OpenCode itself would choose port 4096 if it is free, so two
 * servers starting together would collide.
 */
async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string')
    throw new LegionError('agent.failed', 'no port is free');
  return address.port;
}

/** Starting the process of an MCP server takes seconds on a busy machine. */
const TOOLS_TIMEOUT_MS = 30_000;
const TOOL_POLL_MS = 100;

const serversSchema = z.object({
  legion: z.object({ status: z.string(), error: z.string().optional() }).optional(),
});

/**
 * Waits for Legion's tools: without them the worker could not report and would waste its quota.
 * OpenCode itself silently continues if an MCP server fails. Rejects with `agent.failed`.
 */
export async function waitForTools(api: OpencodeApi): Promise<void> {
  const until = Date.now() + TOOLS_TIMEOUT_MS;
  for (;;) {
    const { legion } = await api.get('/mcp', serversSchema);
    if (legion?.status === 'connected') return;
    if (legion?.status === 'failed' || Date.now() > until)
      throw new LegionError(
        'agent.failed',
        `the legion MCP server did not start: ${legion?.error ?? legion?.status ?? 'opencode does not list it'}`,
      );
    await sleep(TOOL_POLL_MS);
  }
}
