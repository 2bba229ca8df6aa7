/** Runs a process on a disk that rejects writes, by whatever means this machine allows. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Confinement } from './script.ts';

/** Part of util-linux. Other systems cannot change the limits of a running process. */
export const LIMITER = 'prlimit';

/** Mounts a small in-memory file system over `folder`, visible only to the confined process. */
export function smallDisk(folder: string, bytes: number): Confinement {
  return inNamespace('mount -t tmpfs -o "size=$2" tmpfs "$1"', folder, String(bytes));
}

/** Makes `folder` read-only for the confined process, whatever its permissions and user. */
export function readOnlyDisk(folder: string): Confinement {
  return inNamespace('mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"', folder, '');
}

/** Limits file sizes to `bytes`. */
export function fileSizeLimit(bytes: number): Confinement {
  return [LIMITER, `--fsize=${bytes}:unlimited`];
}

/** Lifts the file size limit for the calling process. */
export function liftFileSizeLimit(): void {
  execFileSync(LIMITER, ['--pid', String(process.pid), '--fsize=unlimited:unlimited']);
}

/** Gives the process its own pid namespace, in which pids start at one. */
export function ownPids(): Confinement {
  return ['unshare', ...asRoot(), '--pid', '--fork', '--mount-proc'];
}

export function mayHaveOwnPids(): boolean {
  const [command = '', ...rest] = [...ownPids(), 'true'];
  return spawnSync(command, rest).status === 0;
}

/**
 * Returns whether this process is allowed to mount a file system: as root, or in a user namespace
 * if the machine permits that.
 */
export function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'legion-mount-'));
  try {
    const [command = '', ...rest] = [...smallDisk(folder, 65_536), 'true'];
    return spawnSync(command, rest).status === 0;
  } finally {
    rmdirSync(folder);
  }
}

function inNamespace(mount: string, folder: string, option: string): Confinement {
  return [
    'unshare',
    ...asRoot(),
    '--mount',
    'sh',
    '-ec',
    `${mount}; shift 2; exec "$@"`,
    'sh',
    folder,
    option,
  ];
}

function asRoot(): readonly string[] {
  return process.getuid?.() === 0 ? [] : ['--map-root-user'];
}
