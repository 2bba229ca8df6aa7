/** `legion teams`: every legion of this user, running or not. */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { legionPaths } from '../../config/paths.ts';
import { LegionError } from '../../domain/fault.ts';
import { JSON_OPTION } from '../asking.ts';
import type { CommandContext } from '../command.ts';
import { readDaemonFile } from '../daemon-address.ts';
import { formed } from '../formed.ts';
import { healthOf } from '../health-of.ts';
import { sure } from '../place.ts';
import { table } from '../present/table.ts';
import { span } from '../present/time.ts';

interface Team {
  readonly legion: string;
  readonly running: boolean;
  readonly url?: string;
  readonly pid?: number;
  readonly startedAt?: number;
  readonly workers?: { readonly live: number; readonly waiting: number; readonly limit: number };
  /** Why it does not count as running although it left an address. */
  readonly why?: string;
}

export const teams = formed(
  { name: 'teams', says: 'Lists every legion of this user, running or not.', options: { ...JSON_OPTION } },
  async ({ options }, context) => {
    const root = dirname(sure(legionPaths(context.env)).state('any'));
    const all = await Promise.all(folders(root).map((folder) => teamIn(join(root, folder), folder, context)));
    context.stdout.write(options.json ? `${JSON.stringify(all)}\n` : page(all, Date.now()));
    return undefined;
  },
);

function folders(root: string): readonly string[] {
  try {
    const entries = readdirSync(root, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  } catch {
    return []; // no legion has ever been started
  }
}

async function teamIn(state: string, folder: string, { signal }: CommandContext): Promise<Team> {
  try {
    const file = readDaemonFile(state);
    if (file === undefined) return { legion: folder, running: false };
    const { legion, url, pid, startedAt } = file;
    const health = await healthOf(state, signal);
    if (health === undefined) return { legion, running: false, why: `pid ${pid} at ${url} does not answer` };
    return { legion, running: true, url, pid, startedAt, workers: health.workers };
  } catch (error) {
    if (error instanceof LegionError) return { legion: folder, running: false, why: error.message };
    throw error;
  }
}

function page(all: readonly Team[], now: number): string {
  if (all.length === 0) return 'There is no legion yet. `legion init` in a git repository begins one.\n';
  const rows = all.map(({ legion, running, url, pid, startedAt, workers, why }) => [
    legion,
    running
      ? { text: `running for ${span(now - (startedAt ?? now))}`, style: 'green' as const }
      : 'not running',
    workers === undefined ? '' : `${workers.live} of ${workers.limit}`,
    pid === undefined ? '' : String(pid),
    url ?? why ?? '',
  ]);
  return table(['LEGION', 'STATE', 'WORKERS', 'PID', 'ADDRESS'], rows);
}
