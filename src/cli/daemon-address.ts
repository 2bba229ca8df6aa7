/** Reads from a legion's state folder where its daemon listens and the token it wants, which changes with every start. */

import { basename, join } from 'node:path';
import { readTextFile } from '../config/text-file.ts';
import { LegionError } from '../core/model/fault.ts';
import { decode } from '../domain/decode.ts';
import { parseJson } from '../lib/json.ts';
import { DAEMON_FILE, type DaemonFile, daemonFileSchema, TOKEN_FILE } from '../protocol/daemon-file.ts';

/** Both files are one short line. */
const MOST_BYTES = 16_384;

export interface DaemonAddress {
  readonly file: DaemonFile;
  /** The Unix socket: the token is sent nowhere else. */
  readonly socket: string;
  readonly token: string;
}

/** Undefined where no daemon has left its address. */
export function readDaemonFile(state: string): DaemonFile | undefined {
  const path = join(state, DAEMON_FILE);
  const text = readTextFile(path, MOST_BYTES, 'no links');
  if (!text.ok) {
    if (text.fault.code === 'config.missing') return undefined;
    throw new LegionError('daemon.state_unusable', text.fault.message);
  }
  const file = decode(daemonFileSchema, parseJson(text.value), path);
  if (!file.ok) throw new LegionError('daemon.state_unusable', file.fault.message);
  return file.value;
}

export function readDaemonAddress(state: string, legion = basename(state)): DaemonAddress {
  const file = readDaemonFile(state);
  if (file === undefined) throw new LegionError('daemon.not_running', `${legion} is not running`);
  const { socket, pid, version } = file;
  if (socket === undefined)
    throw new LegionError('daemon.outdated', `the daemon with pid ${pid} is of version ${version}`);
  const token = readTextFile(join(state, TOKEN_FILE), MOST_BYTES, 'no links');
  if (!token.ok) throw new LegionError('daemon.state_unusable', token.fault.message);
  return { file, socket, token: token.value.trim() };
}
