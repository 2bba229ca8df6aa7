/** A daemon behind the HTTP door, for tests: the one place that says how it is made. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Daemon } from '../../src/daemon/daemon.ts';
import { systemClock } from '../../src/daemon/system-clock.ts';
import { workerTokens } from '../../src/daemon/worker-tokens.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { LegionError } from '../../src/domain/fault.ts';
import { type HttpDoor, serveHttp } from '../../src/http/serve.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { openSqliteJournal } from '../../src/journal/sqlite/sqlite-journal.ts';
import { message, STAMP } from '../journal/events.ts';

export const TOKEN = 'b0f2c9d1e4a5968778695a4b3c2d1e0f00112233445566778899aabbccddeeff';
const TOKENS = workerTokens('a secret of this legion');
export const WORKER = { issue: 'demo-1', mode: 'implement', attempt: 1 } as const;
export const WORKER_TOKEN = TOKENS.tokenFor(WORKER);

export interface Served extends HttpDoor {
  /** Defects the door has reported. */
  readonly defects: unknown[];
  /** Lets so many events happen. */
  happen(events: number, textOf?: (serial: number) => string): Promise<void>;
}

interface Serving {
  readonly port?: number;
  readonly clock?: Clock;
  /** What this daemon does otherwise. */
  readonly instead?: (daemon: Daemon) => Partial<Daemon>;
}

export async function serve({
  port = 0,
  clock = systemClock,
  instead = () => ({}),
}: Serving = {}): Promise<Served> {
  const folder = await mkdtemp(join(tmpdir(), 'legion-http-'));
  const journal = await openSqliteJournal(join(folder, 'journal.db'));
  let version = 0;
  const daemon = standIn(journal, () => version);
  const defects: unknown[] = [];

  async function end(): Promise<void> {
    await journal.close();
    await rm(folder, { recursive: true });
  }

  const door = await serveHttp(
    { ...daemon, ...instead(daemon) },
    { port, token: TOKEN, clock, onError: (error) => defects.push(error) },
  ).catch(async (error: unknown) => {
    await end();
    throw error;
  });
  return {
    ...door,
    defects,
    async happen(events, textOf = (serial) => `text ${serial}`) {
      const serials = Array.from({ length: events }, (_, index) => version + index + 1);
      version += events;
      await journal.append(
        serials.map((serial) => message(serial, textOf(serial))),
        version - events,
        STAMP,
      );
    },
    async close() {
      await door.close();
      await end();
    },
  };
}

/** An empty legion: a real journal and real tokens, no issue and no worker. */
function standIn(journal: Journal, version: () => number): Daemon {
  const noIssue = async () => refused('tracker.issue_unknown', 'the board has no such issue');
  const noWorker = () => refused('worker.unknown', 'there is no such worker');
  const noWorkerYet = async () => noWorker();
  return {
    legion: 'demo',
    health: () => ({
      ok: true,
      legion: 'demo',
      version: '0.1.0',
      pid: process.pid,
      startedAt: 1_700_000_000_000,
      epoch: 1,
      journalVersion: version(),
      backend: 'local',
      forge: 'local',
      host: 'local',
      workers: { live: 0, waiting: 0, limit: 10 },
      starts: { allowed: true },
      autoAdvance: true,
      troubles: [],
    }),
    issues: {
      list: async () => [],
      add: noIssue,
      show: noIssue,
      edit: noIssue,
      comment: noIssue,
      label: noIssue,
      move: noIssue,
      block: noIssue,
      close: noIssue,
    },
    workers: {
      list: () => [],
      get: noWorker,
      status: noWorkerYet,
      dispatch: noIssue,
      prompt: noWorkerYet,
      environment: noWorkerYet,
      stop: noWorkerYet,
      reversion: noWorkerYet,
      removeWorkspace: noWorkerYet,
      resetCrashes: noWorkerYet,
      prune: async () => ({ pruned: [] }),
      logs: noWorkerYet,
    },
    operator: {
      collect: async () => ({ issues: {}, at: 1_700_000_000_000 }),
      advance: noIssue,
      materialized: () => ({ version: version() }),
      explain: noIssue,
      gates: noIssue,
      handoffs: () => ({ handoffs: {} }),
      writeHandoff: noIssue,
      inbox: async () => [],
      approve: noIssue,
      answer: noIssue,
      pause: async () => ({ says: 'No worker is started.' }),
      resume: async () => refused('resume.not_paused', 'nothing is paused'),
      rollback: noIssue,
      gc: async () => ({ removed: [], kept: [], pruned: [] }),
      repositoryCommands: async () => [],
      approveCommands: async () => refused('commands.changed', 'these are not the commands that were shown'),
    },
    events: {
      get version() {
        return version();
      },
      read: (after) => journal.read(after),
      subscribe: (listener) => journal.subscribe(listener),
    },
    speech: {
      identify: (token) => TOKENS.read(token),
      say: async () => refused('worker.attempt_over', 'the attempt is over'),
    },
    metrics: async () => '# HELP legion_up Whether the daemon runs.\n# TYPE legion_up gauge\nlegion_up 1\n',
    shutdown: () => undefined,
  };
}

function refused(...fault: ConstructorParameters<typeof LegionError>): never {
  throw new LegionError(...fault);
}
