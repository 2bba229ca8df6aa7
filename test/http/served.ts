/**
 * Opens the real daemon of an empty legion behind any number of HTTP servers. The reconcile loop is
 * stopped, so that only tests cause changes.
 */
import { dirname, join } from 'node:path';
import { loadConfig } from '../../src/config/legion/resolve.ts';
import { resolveLegionPaths } from '../../src/config/paths.ts';
import type { Clock } from '../../src/core/model/clock.ts';
import type { Event } from '../../src/core/model/event.ts';
import { LegionError, type Result } from '../../src/core/model/fault.ts';
import { openDaemonContext } from '../../src/daemon/composition/open-context.ts';
import { openStateFolder } from '../../src/daemon/composition/open-state-folder.ts';
import type { DaemonContext } from '../../src/daemon/context/daemon-context.ts';
import type { Daemon } from '../../src/daemon/daemon.ts';
import { startLoop } from '../../src/daemon/loop/loop.ts';
import { createLoopControl } from '../../src/daemon/loop/loop-control.ts';
import { openServices } from '../../src/daemon/services/open-services.ts';
import { createWorkerApi } from '../../src/daemon/worker-api/worker-api.ts';
import { type HttpServerHandle, serveHttp } from '../../src/http/serve.ts';
import { LAUNCHER } from '../installed/launcher.ts';
import { message } from '../ports/journal/events.ts';
import { createTestLegion, type TestLegion } from '../support/running-daemon.ts';

/** A worker whose attempt is not in the journal, but whose token belongs to this legion. */
export const WORKER = { issue: 'demo-1', mode: 'implement', attempt: 1 } as const;

export interface Legion {
  /**
   * Number of the newest event when the legion was opened. Tests count from here, because the first
   * events are the daemon's own.
   */
  readonly version: number;
  /** Appends this many events. */
  happen(events: number, text?: string): Promise<readonly Event[]>;
  readonly sessionsFile: string;
  serve(serving?: Serving): Promise<Served>;
  /** Also closes servers that are still open. */
  close(): Promise<void>;
}

export interface Served extends HttpServerHandle {
  /** Token of the operator. */
  readonly token: string;
  /** Token of `WORKER`. */
  readonly workerToken: string;
  /** Internal errors that the server has reported. */
  readonly defects: readonly unknown[];
}

export interface Serving {
  readonly port?: number;
  /** Clock of the server. The daemon behind it uses the machine's clock. */
  readonly clock?: Clock;
  /** Directory with a built dashboard. */
  readonly pages?: string;
  /** Overrides parts of the daemon, to record calls or to simulate an internal error. */
  readonly instead?: (daemon: Daemon) => Partial<Daemon>;
}

export async function openLegion(): Promise<Legion> {
  const legion = await createTestLegion();
  const {
    daemon,
    world: context,
    token,
    close,
  } = await openDaemon(legion).catch((error: unknown) => {
    legion.dispose();
    throw error;
  });
  const sessionsFile = join(legion.state, 'sessions.json');
  const workerToken = context.tokens.createToken(WORKER);
  const doors = new Set<HttpServerHandle>();
  let served = 0;
  return {
    get version() {
      return context.ledger.version;
    },
    happen: (events, text) =>
      context.ledger.append(({ lastMessage }) =>
        Array.from({ length: events }, (_, index) => message(lastMessage + index + 1, text)),
      ),
    sessionsFile,
    async serve({ port = 0, clock = context.clock, pages, instead = () => ({}) } = {}) {
      const defects: unknown[] = [];
      const onError = (error: unknown) => void defects.push(error);
      served += 1;
      const socket = join(legion.state, `door-${served}.sock`);
      const options = { port, socket, token, clock, onError, sessionsFile, pages: () => pages };
      const door = await serveHttp({ ...daemon, ...instead(daemon) }, options);
      doors.add(door);
      async function shut(): Promise<void> {
        doors.delete(door);
        await door.close();
      }
      return { ...door, close: shut, token, workerToken, defects };
    },
    async close() {
      for (const door of doors) await door.close();
      await close();
      legion.dispose();
    },
  };
}

interface Opened {
  readonly daemon: Daemon;
  readonly world: DaemonContext;
  readonly token: string;
  close(): Promise<void>;
}

/**
 * Opens the daemon as the composition root does, but without config reload, watchers and the
 * address file.
 */
async function openDaemon({ repository, environment }: TestLegion): Promise<Opened> {
  const file = { path: join(repository, 'legion.yaml'), named: true };
  const { config } = orThrow(loadConfig(file, { flags: [], environment }));
  const paths = orThrow(resolveLegionPaths(environment));
  const launcher = [process.execPath, LAUNCHER] as const;
  const state = openStateFolder(paths.state(config.legion), launcher, environment);
  const { context, close } = await openDaemonContext({
    state,
    paths,
    environment,
    launcher,
    log: () => undefined,
    config: () => config,
    folder: dirname(file.path),
    wake: () => undefined, // no reconcile loop runs
  });
  const loop = startLoop(context, async () => undefined);
  await loop.stop();
  const info = { version: '0.0.0-test', pid: process.pid, startedAt: context.clock.now() };
  const daemon: Daemon = {
    legion: config.legion,
    ...openServices(context, createLoopControl(context, loop), info),
    workerApi: createWorkerApi(context),
    // The test that opened the daemon closes it.
    shutdown: () => undefined,
  };
  return { daemon, world: context, token: state.token, close };
}

function orThrow<T>(result: Result<T>): T {
  if (!result.ok) throw new LegionError(result.fault.code, result.fault.message);
  return result.value;
}
