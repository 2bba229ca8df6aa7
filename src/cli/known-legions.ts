/**
 * Finds the legions of this user: those that `legion init` set up and those that have run. Also
 * chooses the port of a new legion, so that no two legions use the same port.
 */

import { randomInt } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { readLegionFile, resolveConfig } from '../config/legion/resolve.ts';
import { type LegionPaths, resolveLegionPaths } from '../config/paths.ts';
import { readTextFile } from '../config/text-file.ts';
import type { EnvironmentVariables } from '../core/model/environment.ts';
import { LegionError } from '../core/model/fault.ts';
import { formatDuration } from '../core/model/format.ts';
import { readLegionId } from '../core/model/ids.ts';
import { isPortFree } from '../http/listen.ts';
import { writeDurablySync } from '../lib/fs/atomic-write.ts';
import { listFolders } from '../lib/fs/folder.ts';
import { unwrap } from '../lib/result.ts';
import {
  findSurvivingWorkers,
  readDaemonFile,
  readStartedFrom,
  type SurvivingWorker,
} from './daemon-address.ts';
import { findDaemonHealth } from './explain-not-running.ts';
import type { TableCell } from './present/table.ts';
import type { CommandContext } from './program/define-command.ts';

const MAX_LIST_BYTES = 1_024 * 1_024;
const PRIVATE_FOLDER = 0o700;

const listSchema = z.array(z.string().max(4_096));

export interface KnownLegion {
  readonly file: string;
  readonly legion: string;
  readonly port: number;
}

/** Reads each file again, because a person may have changed the port or removed the file. */
export function readKnownLegions(env: EnvironmentVariables): readonly KnownLegion[] {
  return readListedFiles(env).flatMap((file) => readKnownLegion(file) ?? []);
}

function readKnownLegion(file: string): KnownLegion | undefined {
  const text = readLegionFile(file);
  if (!text.ok) return undefined;
  const resolved = resolveConfig({ flags: [], file: { path: file, text: text.value }, environment: {} });
  if (!resolved.ok) return undefined;
  const { legion, port } = resolved.value.config;
  return { file, legion, port };
}

/**
 * Adds the file to the list of known legions. Ignores write errors: the only effect of a missing
 * entry is that the next `legion init` does not know about this legion.
 */
export function recordLegion(env: EnvironmentVariables, file: string): void {
  const paths = resolveLegionPaths(env);
  if (!paths.ok) return;
  const files = new Set([...readKnownLegions(env).map((known) => known.file), file]);
  try {
    mkdirSync(dirname(paths.value.legionFiles), { recursive: true, mode: PRIVATE_FOLDER });
    writeDurablySync(paths.value.legionFiles, `${JSON.stringify([...files], undefined, 2)}\n`);
  } catch {
    // An unwritten list is not a failure: it matters more that the port was free when it was
    // chosen.
  }
}

function readListedFiles(env: EnvironmentVariables): readonly string[] {
  const paths = resolveLegionPaths(env);
  if (!paths.ok) return [];
  const text = readTextFile(paths.value.legionFiles, MAX_LIST_BYTES, 'no links');
  if (!text.ok) return [];
  try {
    return listSchema.safeParse(JSON.parse(text.value)).data ?? [];
  } catch {
    return []; // not JSON: the next `legion init` starts a new list
  }
}

/** Below 32768, because Linux uses higher ports for outgoing connections. */
const MIN_PORT = 14_000;
const MAX_PORT = 31_999;
/**
 * Even if half of all ports are taken, the probability that this many random tries find no free
 * port is only 1 in 10^15.
 */
const MAX_TRIES = 50;

/**
 * Chooses a fixed port for a new legion.yaml, so that dashboards and webhooks find the daemon after
 * a restart. The port is random, because the lowest free port could be the same for two legions
 * that are set up on different days.
 */
export async function choosePort(file: string, env: EnvironmentVariables): Promise<number> {
  // If an existing legion.yaml is being rewritten, its port is kept, because an open dashboard or a
  // webhook may use it.
  const before = readKnownLegion(file)?.port ?? 0;
  if (before !== 0) return before;
  const usedPorts = new Set(readKnownLegions(env).map(({ port }) => port));
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const port = randomInt(MIN_PORT, MAX_PORT + 1);
    if (!usedPorts.has(port) && (await isPortFree(port))) return port;
  }
  throw new LegionError('http.port_taken', `No free port found on 127.0.0.1 after ${MAX_TRIES} tries.`);
}

export interface FoundLegion {
  readonly legion: string;
  readonly running: boolean;
  readonly url?: string;
  readonly pid?: number;
  readonly startedAt?: number;
  readonly workers?: { readonly live: number; readonly waiting: number; readonly limit: number };
  /** Workers that outlived the daemon. Absent while a daemon is running. */
  readonly left?: readonly SurvivingWorker[];
  /** Reason why the legion is reported as not running although its daemon left an address file. */
  readonly why?: string;
}

/**
 * Lists every legion of this user that has a state directory or was set up by `legion init`, and
 * whether its daemon answers.
 */
export async function listLegions(context: CommandContext): Promise<readonly FoundLegion[]> {
  const paths = unwrap(resolveLegionPaths(context.env));
  const root = paths.states;
  const names = listFolders(root);
  const started = await Promise.all(
    names.map((folder) => readFoundLegion(join(root, folder), folder, context)),
  );
  return [...started, ...listNeverStarted(paths, names, context)];
}

/**
 * Adds the workers that outlived their daemon. For each legion without a daemon, this scans all
 * processes, so it runs only on request.
 */
export async function addSurvivingWorkers(
  all: readonly FoundLegion[],
  { env }: CommandContext,
): Promise<readonly FoundLegion[]> {
  const paths = unwrap(resolveLegionPaths(env));
  return Promise.all(
    all.map(async (each) => {
      if (each.running || !readLegionId(each.legion).ok) return each;
      const left = await findSurvivingWorkers(paths.state(each.legion), each.legion, env);
      return left.length === 0 ? each : { ...each, left };
    }),
  );
}

/**
 * Lists the legions that `legion init` set up and that have no state directory, because `legion up`
 * has never run for them.
 */
function listNeverStarted(
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

export function toStateCell({ running, startedAt }: FoundLegion, now: number): TableCell {
  return running
    ? { text: `running for ${formatDuration(now - (startedAt ?? now))}`, style: 'green' }
    : 'not running';
}

async function readFoundLegion(
  state: string,
  folder: string,
  { signal }: CommandContext,
): Promise<FoundLegion> {
  try {
    const file = readDaemonFile(state);
    if (file === undefined) return { legion: readStartedFrom(state)?.legion ?? folder, running: false };
    const { legion, url, pid, startedAt } = file;
    const health = await findDaemonHealth(state, signal);
    if (health === undefined) return { legion, running: false, why: `pid ${pid} at ${url} does not answer` };
    return { legion, running: true, url, pid, startedAt, workers: health.workers };
  } catch (error) {
    if (error instanceof LegionError) return { legion: folder, running: false, why: error.message };
    throw error;
  }
}
