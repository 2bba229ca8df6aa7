/**
 * Reads the files that a daemon writes to its state directory: its address, its token, and the path
 * of the `legion.yaml` it was started from. The token changes with every start. Also finds workers
 * that outlived their daemon.
 */

import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { LegionPaths } from '../config/paths.ts';
import { readTextFile } from '../config/text-file.ts';
import { decode } from '../core/model/decode.ts';
import type { EnvironmentVariables } from '../core/model/environment.ts';
import { LegionError } from '../core/model/fault.ts';
import { listFolders } from '../lib/fs/folder.ts';
import { readJsonFile } from '../lib/fs/read-bounded.ts';
import { parseJson } from '../lib/json.ts';
import {
  DAEMON_FILE,
  type DaemonFile,
  daemonFileSchema,
  HOLDER_FILE,
  STARTED_FROM_FILE,
  type StartedFrom,
  startedFromSchema,
  TOKEN_FILE,
} from '../protocol/state-files.ts';

/** Far above the size of the address and token files, which contain one short line each. */
const MAX_ADDRESS_FILE_BYTES = 16_384;

export interface DaemonAddress {
  readonly file: DaemonFile;
  /** The Unix socket. The token is never sent to any other destination. */
  readonly socket: string;
  readonly token: string;
}

/** Returns undefined if no daemon has written its address. */
export function readDaemonFile(state: string): DaemonFile | undefined {
  const path = join(state, DAEMON_FILE);
  const text = readTextFile(path, MAX_ADDRESS_FILE_BYTES, 'no links');
  if (!text.ok) {
    if (text.fault.code === 'config.missing') return undefined;
    throw new LegionError('daemon.state_unusable', text.fault.message);
  }
  const file = decode(daemonFileSchema, parseJson(text.value), path);
  if (!file.ok) throw new LegionError('daemon.state_unusable', file.fault.message);
  return file.value;
}

/**
 * Returns whether the legion's last daemon was stopped. False if that daemon was killed or is
 * restarting, because another one usually follows.
 */
export function isDaemonStopped(state: string): boolean {
  return [DAEMON_FILE, HOLDER_FILE].every((name) => !existsSync(join(state, name)));
}

export function readDaemonAddress(state: string, legion = basename(state)): DaemonAddress {
  const file = readDaemonFile(state);
  if (file === undefined) throw new LegionError('daemon.not_running', `${legion} is not running`);
  const { socket, pid, version } = file;
  if (socket === undefined)
    throw new LegionError(
      'daemon.outdated',
      `The daemon (pid ${pid}) runs version ${version}, which has no Unix socket.`,
    );
  const token = readTextFile(join(state, TOKEN_FILE), MAX_ADDRESS_FILE_BYTES, 'no links');
  if (!token.ok) throw new LegionError('daemon.state_unusable', token.fault.message);
  return { file, socket, token: token.value.trim() };
}

/**
 * Finds the legion that was last started from this `legion.yaml`. Used if the file can no longer be
 * read. Returns undefined if no legion was started from the file, or if the record is damaged.
 */
export function findLastStarted({ states }: LegionPaths, file: string): string | undefined {
  const records = listFolders(states).flatMap((folder) => readStartedFrom(join(states, folder)) ?? []);
  return records.filter((record) => record.file === file).toSorted((a, b) => b.at - a.at)[0]?.legion;
}

export function readStartedFrom(state: string): StartedFrom | undefined {
  return startedFromSchema.safeParse(readJsonFile(join(state, STARTED_FROM_FILE))).data;
}

export interface SurvivingWorker {
  readonly worker: string;
  readonly pid: number;
}

/** Finds the agents of a legion that are still running although the legion's daemon is not. */
export async function findSurvivingWorkers(
  state: string,
  legion: string,
  environment: EnvironmentVariables,
): Promise<readonly SurvivingWorker[]> {
  const folder = join(state, 'host');
  if (!existsSync(folder)) return [];
  // Imported only here, because this code is rarely needed: a daemon is nearly always running.
  const { openLocalHost } = await import('../hosts/local/local-host.ts');
  const host = await openLocalHost({ folder, legion, environment });
  const agents = (await host.adopt()).filter(({ role }) => role === 'agent');
  return agents
    .map(({ worker, pid }) => ({ worker, pid }))
    .toSorted((a, b) => a.worker.localeCompare(b.worker));
}
