/** The state folder of a legion: its secrets, its address, and the `legion` its workers call. */

import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { LegionError } from '../../core/model/fault.ts';
import { folderName } from '../../core/model/ids.ts';
import type { Environment } from '../../domain/environment.ts';
import { shellWord } from '../../domain/shell-word.ts';
import { writeDurablySync } from '../../lib/fs/atomic-write.ts';
import { makePrivateFolder } from '../../lib/fs/folder.ts';
import { readJsonFile } from '../../lib/fs/read-bounded.ts';
import { AS_WORKER } from '../../protocol/as-worker.ts';
import { DAEMON_FILE, type DaemonFile, TOKEN_FILE } from '../../protocol/daemon-file.ts';
import { STARTED_FROM_FILE, type StartedFrom } from '../../protocol/started-from.ts';
import { socketPathFor } from '../compose-socket.ts';
import { findStatePathProblem } from '../state-path.ts';
import type { Folders } from '../world.ts';

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const READABLE_BY_OTHERS = 0o077;
const WRITABLE_BY_OTHERS = 0o022;
/** 256 bits. */
const SECRET_BYTES = 32;

export interface StateFolder extends Folders {
  /** Where `legion` is found by workers. */
  readonly bin: string;
  /** The operator's, which is new at every start. */
  readonly token: string;
  /** Seals the tokens of workers, which outlive the daemon: the same at every start. */
  readonly workerSecret: string;
  announce(file: DaemonFile): void;
  /** Lets commands find the legion when its `legion.yaml` can no longer be read. */
  recordOrigin(origin: StartedFrom): void;
  /** Takes the address away, unless a successor has written its own by now. */
  withdraw(pid: number): void;
}

/** Where what is kept of one repository lies. */
export function repositoryState(stateFolder: string, repo: string): string {
  return join(stateFolder, 'repositories', folderName(repo));
}

/** Creates the folder, or closes one that others can read; refuses one into which others could have written. */
export function makeStateFolder(path: string): void {
  reportingUnusable(path, () => {
    refuseDangerous(path);
    mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
    const stats = lstatSync(path);
    const isOpen = stats.isDirectory() && (stats.mode & READABLE_BY_OTHERS) !== 0;
    if (isOpen && (stats.mode & WRITABLE_BY_OTHERS) === 0 && stats.uid === process.getuid?.())
      chmodSync(path, PRIVATE_FOLDER);
    const problem = makePrivateFolder(path);
    if (problem !== undefined) throw new LegionError('daemon.state_unusable', problem);
  });
}

/** Before anything is made or closed: a wrong variable must not take a home folder away from its programs. */
function refuseDangerous(path: string): void {
  const isThere = existsSync(path);
  const problem = findStatePathProblem({
    path: isThere ? realpathSync(path) : resolve(path),
    homes: [homedir(), userInfo().homedir].filter((home) => home !== '/' && isAbsolute(home)),
    entries: isThere && statSync(path).isDirectory() ? readdirSync(path) : undefined,
  });
  if (problem !== undefined) throw new LegionError('daemon.state_dangerous', `${path} ${problem}`);
}

/** Call it with the legion's lock held: a second daemon must not replace the token of the first. */
export function openStateFolder(
  path: string,
  launcher: readonly string[],
  environment: Environment = {},
): StateFolder {
  makeStateFolder(path);
  return reportingUnusable(path, () => {
    const bin = join(path, 'bin');
    mkdirSync(bin, { recursive: true, mode: PRIVATE_FOLDER });
    writeDurablySync(join(bin, 'legion'), shim(launcher), PRIVATE_FOLDER);
    const address = join(path, DAEMON_FILE);
    return {
      state: path,
      socket: socketPathFor(path, environment),
      outbox: (worker, attempt) => join(path, 'outbox', folderName(worker), String(attempt)),
      bin,
      token: newToken(join(path, TOKEN_FILE)),
      workerSecret: secretIn(join(path, 'worker-secret')),
      announce: (file) => writeDurablySync(address, `${JSON.stringify(file, undefined, 2)}\n`, PRIVATE_FILE),
      recordOrigin: (origin) =>
        writeDurablySync(join(path, STARTED_FROM_FILE), `${JSON.stringify(origin)}\n`, PRIVATE_FILE),
      withdraw(pid) {
        if (pidIn(address) === pid) rmSync(address, { force: true });
      },
    };
  });
}

function reportingUnusable<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof LegionError) throw error;
    throw new LegionError('daemon.state_unusable', `${path}: ${(error as Error).message}`, { cause: error });
  }
}

/** Replaces the file in one step, so that a command reads the old token or the new one. */
function newToken(path: string): string {
  const token = newSecret();
  writeDurablySync(path, `${token}\n`, PRIVATE_FILE);
  return token;
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Made once; a file that others could read is no secret any more and is refused. */
function secretIn(path: string): string {
  try {
    writeFileSync(path, `${newSecret()}\n`, {
      flag: 'wx',
      mode: PRIVATE_FILE,
      flush: true,
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  if ((statSync(path).mode & READABLE_BY_OTHERS) !== 0)
    throw new LegionError('daemon.state_unusable', `${path} can be read by others; run \`chmod 600\` on it`);
  const secret = readFileSync(path, 'utf8').trim();
  if (secret.length < SECRET_BYTES)
    throw new LegionError(
      'daemon.state_unusable',
      `${path} holds no secret; remove it to have a new one made`,
    );
  return secret;
}

function pidIn(address: string): number | undefined {
  return (readJsonFile(address) as { pid?: number } | undefined)?.pid;
}

/**
 * An agent calls `legion worker …` from any folder; which Node and which Legion is not left to its PATH. The flag makes this
 * `legion` a worker's, whatever it does with its environment.
 */
function shim(launcher: readonly string[]): string {
  const words = [...launcher, AS_WORKER].map(shellWord);
  return `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`;
}
