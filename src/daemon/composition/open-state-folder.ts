/**
 * Manages a legion's state directory: its secrets, its address and the `legion` executable for
 * workers.
 */
import { createHash, randomBytes } from 'node:crypto';
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
import type { EnvironmentVariables } from '../../core/model/environment.ts';
import { AS_WORKER_FLAG } from '../../core/model/environment.ts';
import { LegionError } from '../../core/model/fault.ts';
import { quoteShellWord } from '../../core/model/format.ts';
import { toFolderName } from '../../core/model/ids.ts';
import { writeDurablySync } from '../../lib/fs/atomic-write.ts';
import { makePrivateFolder } from '../../lib/fs/folder.ts';
import { readJsonFile } from '../../lib/fs/read-bounded.ts';
import {
  DAEMON_FILE,
  type DaemonFile,
  HOLDER_FILE,
  STARTED_FROM_FILE,
  type StartedFrom,
  TOKEN_FILE,
} from '../../protocol/state-files.ts';
import type { LegionFolders } from '../context/daemon-context.ts';

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const READABLE_BY_OTHERS = 0o077;
const WRITABLE_BY_OTHERS = 0o022;
/** 256 bits. */
const SECRET_BYTES = 32;

export interface StateFolder extends LegionFolders {
  /** Directory of the workers' `legion` executable. */
  readonly bin: string;
  /** Operator token, replaced at every start. */
  readonly token: string;
  /** Key that signs worker tokens. Constant across restarts, because workers outlive the daemon. */
  readonly workerSecret: string;
  announce(file: DaemonFile): void;
  /**
   * Records which `legion.yaml` started the daemon, so that commands find the legion even if that
   * file cannot be read.
   */
  recordOrigin(origin: StartedFrom): void;
  /**
   * Removes the daemon's address file unless a successor has already written its own. `final` tells
   * clients that no successor follows, so that they do not wait for one.
   */
  withdraw(pid: number, end: 'final' | 'restart'): void;
}

/** Returns the directory for one repository's state. */
export function buildRepositoryStatePath(stateFolder: string, repo: string): string {
  return join(stateFolder, 'repositories', toFolderName(repo));
}

/**
 * Creates the state directory, or makes an existing one private. Refuses a directory that others
 * could have written to.
 */
export function makeStateFolder(path: string): void {
  withUnusableStateFault(path, () => {
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

/**
 * Runs before any directory is created or changed, because a misconfigured path must not change the
 * permissions of a home directory.
 */
function refuseDangerous(path: string): void {
  const isThere = existsSync(path);
  const problem = findStatePathProblem({
    path: isThere ? realpathSync(path) : resolve(path),
    homes: [homedir(), userInfo().homedir].filter((home) => home !== '/' && isAbsolute(home)),
    entries: isThere && statSync(path).isDirectory() ? readdirSync(path) : undefined,
  });
  if (problem !== undefined) throw new LegionError('daemon.state_dangerous', `${path} ${problem}`);
}

/**
 * Call it while holding the legion's lock: a second daemon must not replace the first one's token.
 */
export function openStateFolder(
  path: string,
  launcher: readonly string[],
  environment: EnvironmentVariables = {},
): StateFolder {
  makeStateFolder(path);
  return withUnusableStateFault(path, () => {
    const bin = join(path, 'bin');
    mkdirSync(bin, { recursive: true, mode: PRIVATE_FOLDER });
    writeDurablySync(join(bin, 'legion'), buildShim(launcher), PRIVATE_FOLDER);
    const address = join(path, DAEMON_FILE);
    return {
      state: path,
      socket: chooseSocketPath(path, environment),
      outbox: (worker, attempt) => join(path, 'outbox', toFolderName(worker), String(attempt)),
      bin,
      token: writeNewToken(join(path, TOKEN_FILE)),
      workerSecret: ensureSecret(join(path, 'worker-secret')),
      announce: (file) => writeDurablySync(address, `${JSON.stringify(file, undefined, 2)}\n`, PRIVATE_FILE),
      recordOrigin: (origin) =>
        writeDurablySync(join(path, STARTED_FROM_FILE), `${JSON.stringify(origin)}\n`, PRIVATE_FILE),
      withdraw(pid, end) {
        if (readPid(address) !== pid) return;
        // The holder file is removed before the address: a client that finds no address looks for
        // the holder next.
        if (end === 'final') rmSync(join(path, HOLDER_FILE), { force: true });
        rmSync(address, { force: true });
      },
    };
  });
}

function withUnusableStateFault<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof LegionError) throw error;
    throw new LegionError('daemon.state_unusable', `${path}: ${(error as Error).message}`, { cause: error });
  }
}

/** Replaces the file atomically, so that a command reads either the old token or the new one. */
function writeNewToken(path: string): string {
  const token = generateSecret();
  writeDurablySync(path, `${token}\n`, PRIVATE_FILE);
  return token;
}

function generateSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Creates the secret once. Refuses a file that others can read, because it is no longer secret. */
function ensureSecret(path: string): string {
  try {
    writeFileSync(path, `${generateSecret()}\n`, {
      flag: 'wx',
      mode: PRIVATE_FILE,
      flush: true,
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  if ((statSync(path).mode & READABLE_BY_OTHERS) !== 0)
    throw new LegionError('daemon.state_unusable', `${path} is readable by others. Run \`chmod 600\` on it.`);
  const secret = readFileSync(path, 'utf8').trim();
  if (secret.length < SECRET_BYTES)
    throw new LegionError(
      'daemon.state_unusable',
      `${path} does not contain a secret. Remove it to create a new one.`,
    );
  return secret;
}

function readPid(address: string): number | undefined {
  return (readJsonFile(address) as { pid?: number } | undefined)?.pid;
}

/**
 * Builds the workers' `legion` executable. It contains the full paths of Node and Legion instead of
 * relying on PATH, because agents call `legion worker …` from any directory. The flag tells Legion
 * that a worker is calling, whatever the environment contains.
 */
function buildShim(launcher: readonly string[]): string {
  const words = [...launcher, AS_WORKER_FLAG].map(quoteShellWord);
  return `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`;
}

/** Linux allows 107 bytes and macOS 103. Longer paths are truncated or refused. */
export const MAX_SOCKET_PATH_BYTES = 100;

/** Number of hash characters in the name: enough to avoid collisions between legions. */
const NAME_CHARS = 24;

/**
 * Chooses the path of the daemon's Unix socket: the same at every start and short enough for every
 * operating system. The socket is in the state directory or, if that path is too long, below
 * `$XDG_RUNTIME_DIR` or in `/tmp/legion-UID`.
 */
export function chooseSocketPath(
  state: string,
  { XDG_RUNTIME_DIR: runtime = '' }: EnvironmentVariables,
): string {
  const own = join(state, 'daemon.sock');
  if (isSocketPathValid(own)) return own;
  const name = `${createHash('sha256').update(state).digest('hex').slice(0, NAME_CHARS)}.sock`;
  const below = join(runtime, 'legion', name);
  // Without a login session, `$XDG_RUNTIME_DIR` may point to a directory that no longer exists.
  if (isAbsolute(runtime) && isSocketPathValid(below) && existsSync(runtime)) return below;
  return join('/tmp', `legion-${process.getuid?.() ?? 0}`, name);
}

function isSocketPathValid(path: string): boolean {
  return Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES;
}

export interface StatePathFacts {
  /** Absolute and without symlinks. */
  readonly path: string;
  /** Absolute home directories. */
  readonly homes: readonly string[];
  /** Names of the directory's entries. Undefined if the directory does not exist. */
  readonly entries: readonly string[] | undefined;
}

/** Files and directories that are typical of Legion. */
const MARKS: ReadonlySet<string> = new Set([
  'approvals.json',
  'attempts',
  'board.db',
  'consent.json',
  'daemon.json',
  'daemon.lock',
  'daemon.log',
  'halt.json',
  'journal.db',
  'repositories',
  'scripted',
  'worker-secret',
]);

/**
 * Decides whether a directory may become a legion's state directory, whose permissions are then
 * restricted. Pure. Returns the reason why the path is unsuitable, or undefined if it is suitable.
 */
export function findStatePathProblem({ path, homes, entries = [] }: StatePathFacts): string | undefined {
  if (isInside('/', path)) return 'is the root of the file system';
  const home = homes.find((each) => isInside(each, path));
  if (home !== undefined)
    return isInside(path, home) ? 'is a home folder' : `contains the home folder ${home}`;
  return entries.length > 0 && !entries.some((name) => MARKS.has(name))
    ? 'contains files, but none that belong to a legion’s state'
    : undefined;
}

/** Whether `inner` is `outer` or inside it. */
function isInside(inner: string, outer: string): boolean {
  const [from, to] = [outer, inner].map((path) => `${path.replace(/\/+$/, '')}/`);
  return to?.startsWith(from ?? '/') === true;
}
