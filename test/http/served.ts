/** The real daemon of an empty legion behind any number of doors; its loop is stopped, so that only tests make something happen. */
import { dirname, join } from 'node:path';
import { loadConfig } from '../../src/config/legion/load.ts';
import { legionPaths } from '../../src/config/paths.ts';
import type { Event } from '../../src/core/model/event.ts';
import { LegionError, type Result } from '../../src/core/model/fault.ts';
import { openWorld } from '../../src/daemon/compose-world.ts';
import { openStateFolder } from '../../src/daemon/composition/open-state-folder.ts';
import type { Daemon } from '../../src/daemon/daemon.ts';
import { openDesks } from '../../src/daemon/desks/open-desks.ts';
import { startLoop } from '../../src/daemon/loop.ts';
import { loopControl } from '../../src/daemon/loop-control.ts';
import { openSpeech } from '../../src/daemon/speech/speech.ts';
import type { World } from '../../src/daemon/world.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { type HttpDoor, serveHttp } from '../../src/http/serve.ts';
import { LAUNCHER } from '../installed/launcher.ts';
import { message } from '../ports/journal/events.ts';
import { type TestLegion, testLegion } from '../support/running-daemon.ts';

/** The journal knows of no such attempt; its token is one of this legion all the same. */
export const WORKER = { issue: 'demo-1', mode: 'implement', attempt: 1 } as const;

export interface Legion {
  /** The number of the newest event: tests count from here, because the first events are the daemon's own. */
  readonly version: number;
  /** Lets so many events happen. */
  happen(events: number, text?: string): Promise<readonly Event[]>;
  readonly sessionsFile: string;
  serve(serving?: Serving): Promise<Served>;
  /** Closes the doors that are still open, too. */
  close(): Promise<void>;
}

export interface Served extends HttpDoor {
  /** The operator's. */
  readonly token: string;
  /** Of `WORKER`. */
  readonly workerToken: string;
  /** Defects the door has reported. */
  readonly defects: readonly unknown[];
}

export interface Serving {
  readonly port?: number;
  /** The door's; the daemon behind it keeps the machine's. */
  readonly clock?: Clock;
  /** A folder with a built dashboard. */
  readonly pages?: string;
  /** Laid over the daemon, to overhear it or to give it a defect. */
  readonly instead?: (daemon: Daemon) => Partial<Daemon>;
}

export async function openLegion(): Promise<Legion> {
  const legion = await testLegion();
  const { daemon, world, token, close } = await openDaemon(legion).catch((error: unknown) => {
    legion.dispose();
    throw error;
  });
  const sessionsFile = join(legion.state, 'sessions.json');
  const workerToken = world.tokens.tokenFor(WORKER);
  const doors = new Set<HttpDoor>();
  let served = 0;
  return {
    get version() {
      return world.ledger.version;
    },
    happen: (events, text) =>
      world.ledger.append(({ lastMessage }) =>
        Array.from({ length: events }, (_, index) => message(lastMessage + index + 1, text)),
      ),
    sessionsFile,
    async serve({ port = 0, clock = world.clock, pages, instead = () => ({}) } = {}) {
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
  readonly world: World;
  readonly token: string;
  close(): Promise<void>;
}

/** As the composition root does it, without what reloads, watches and announces. */
async function openDaemon({ repository, environment }: TestLegion): Promise<Opened> {
  const file = { path: join(repository, 'legion.yaml'), named: true };
  const { config } = orThrow(loadConfig(file, { flags: [], environment }));
  const paths = orThrow(legionPaths(environment));
  const launcher = [process.execPath, LAUNCHER] as const;
  const state = openStateFolder(paths.state(config.legion), launcher, environment);
  const { world, close } = await openWorld({
    ...{ state, paths, environment, launcher, tell: () => undefined },
    config: () => config,
    folder: dirname(file.path),
    wake: () => undefined, // nobody looks
  });
  const loop = startLoop(world, async () => undefined);
  await loop.stop();
  const info = { version: '0.0.0-test', pid: process.pid, startedAt: world.clock.now() };
  const daemon: Daemon = {
    legion: config.legion,
    ...openDesks(world, loopControl(world, loop), info),
    speech: openSpeech(world),
    // Whoever has opened it closes it.
    shutdown: () => undefined,
  };
  return { daemon, world, token: state.token, close };
}

function orThrow<T>(result: Result<T>): T {
  if (!result.ok) throw new LegionError(result.fault.code, result.fault.message);
  return result.value;
}
