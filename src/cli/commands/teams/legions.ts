/** Every legion of this user by its state folder, and whether its daemon answers. */
import { basename, join } from 'node:path';
import { type LegionPaths, legionPaths } from '../../../config/paths.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { readLegionId } from '../../../core/model/ids.ts';
import { span } from '../../../domain/format.ts';
import { listFolders } from '../../../lib/fs/folder.ts';
import { unwrap } from '../../../lib/result.ts';
import type { CommandContext } from '../../command.ts';
import { readDaemonFile } from '../../daemon-address.ts';
import { healthOf } from '../../health-of.ts';
import { readStartedFrom } from '../../last-started.ts';
import { findLeftWorkers, type LeftWorker } from '../../left-workers.ts';
import type { Cell } from '../../present/table.ts';
import { readKnownLegions } from '../init/known-legions.ts';

export interface FoundLegion {
  readonly legion: string;
  readonly running: boolean;
  readonly url?: string;
  readonly pid?: number;
  readonly startedAt?: number;
  readonly workers?: { readonly live: number; readonly waiting: number; readonly limit: number };
  /** Workers that outlived the daemon; absent while one runs. */
  readonly left?: readonly LeftWorker[];
  /** Why it does not count as running although it left an address. */
  readonly why?: string;
}

export async function legionsHere(context: CommandContext): Promise<readonly FoundLegion[]> {
  const paths = unwrap(legionPaths(context.env));
  const root = paths.states;
  const names = listFolders(root);
  const started = await Promise.all(names.map((folder) => legionIn(join(root, folder), folder, context)));
  return [...started, ...neverStarted(paths, names, context)];
}

/** Looks through all processes for each legion without a daemon, so only for a person who asks. */
export async function addLeftWorkers(
  all: readonly FoundLegion[],
  { env }: CommandContext,
): Promise<readonly FoundLegion[]> {
  const paths = unwrap(legionPaths(env));
  return Promise.all(
    all.map(async (each) => {
      if (each.running || !readLegionId(each.legion).ok) return each;
      const left = await findLeftWorkers(paths.state(each.legion), each.legion, env);
      return left.length === 0 ? each : { ...each, left };
    }),
  );
}

/** Written by `legion init`, but without a state folder until the first `legion up`. */
function neverStarted(
  paths: LegionPaths,
  started: readonly string[],
  { env }: CommandContext,
): readonly FoundLegion[] {
  const legions = new Set(readKnownLegions(env).map(({ legion }) => legion));
  return [...legions]
    .filter((legion) => !started.includes(basename(paths.state(legion))))
    .sort()
    .map((legion) => ({ legion, running: false }));
}

export function stateCell({ running, startedAt }: FoundLegion, now: number): Cell {
  return running ? { text: `running for ${span(now - (startedAt ?? now))}`, style: 'green' } : 'not running';
}

async function legionIn(state: string, folder: string, { signal }: CommandContext): Promise<FoundLegion> {
  try {
    const file = readDaemonFile(state);
    if (file === undefined) return { legion: readStartedFrom(state)?.legion ?? folder, running: false };
    const { legion, url, pid, startedAt } = file;
    const health = await healthOf(state, signal);
    if (health === undefined) return { legion, running: false, why: `pid ${pid} at ${url} does not answer` };
    return { legion, running: true, url, pid, startedAt, workers: health.workers };
  } catch (error) {
    if (error instanceof LegionError) return { legion: folder, running: false, why: error.message };
    throw error;
  }
}
