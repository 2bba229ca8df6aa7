/** Ways to give a process a disk that refuses it, as far as this machine allows them. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Confinement } from './script.ts';

/** Of util-linux; other systems have no way to change the limits of a running process. */
const LIMITER = 'prlimit';

/** A small file system in memory in place of `folder`, seen by the confined process only. */
export function smallDisk(folder: string, bytes: number): Confinement {
  return inNamespace('mount -t tmpfs -o "size=$2" tmpfs "$1"', folder, String(bytes));
}

/** `folder` read-only, whatever its permissions and whoever asks, for the confined process only. */
export function readOnlyDisk(folder: string): Confinement {
  return inNamespace('mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"', folder, '');
}

/** No file may grow beyond `bytes`. */
export function fileSizeLimit(bytes: number): Confinement {
  return [LIMITER, `--fsize=${bytes}:unlimited`];
}

/** For the process that asks, while it runs. */
export function liftFileSizeLimit(): void {
  execFileSync(LIMITER, ['--pid', String(process.pid), '--fsize=unlimited:unlimited']);
}

/** Process numbers of its own, which count from one. */
export function ownPids(): Confinement {
  return ['unshare', ...asRoot(), '--pid', '--fork', '--mount-proc'];
}

export function mayHaveOwnPids(): boolean {
  const [command = '', ...rest] = [...ownPids(), 'true'];
  return spawnSync(command, rest).status === 0;
}

/** Root may mount; an ordinary user may in a user namespace, unless the machine forbids that. */
export function mayMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'legion-mount-'));
  try {
    const [command = '', ...rest] = [...smallDisk(folder, 65_536), 'true'];
    return spawnSync(command, rest).status === 0;
  } finally {
    rmdirSync(folder);
  }
}

export function mayLimit(): boolean {
  return spawnSync(LIMITER, ['--version']).status === 0;
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
