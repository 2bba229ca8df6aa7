/** The machine: Node, git, processes, disk and memory. */
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { legionPaths } from '../../../config/paths.ts';
import { sizeText } from '../../../config/schema/quantity.ts';
import { gitRunner } from '../../../git/runner.ts';
import { readStat } from '../../../lib/process/proc-table.ts';
import type { CommandContext } from '../../command.ts';
import { bad, type Finding, fromError, ok, warn } from './finding.ts';

const OLDEST_NODE = 24;
/** The first that merges in memory. */
const OLDEST_GIT = [2, 38] as const;
const GIT_ANSWER_MS = 5_000;

const MB = 1_000_000;
const GB = 1_000 * MB;
/** Below the first no worker is started; below the second a few checkouts with their dependencies fill it. */
const DISK = { bad: 256 * MB, warn: 5 * GB } as const;
/** The same; an agent takes some hundred megabytes. */
const MEMORY = { bad: 128 * MB, warn: GB } as const;

export async function examineMachine(context: CommandContext): Promise<readonly Finding[]> {
  return [node(), await git(context), processes(), await disk(context), memory()];
}

function node(): Finding {
  const { node: version } = process.versions;
  return Number.parseInt(version, 10) >= OLDEST_NODE
    ? ok('node', version)
    : bad('node', `${version} is too old`, `Install Node ${OLDEST_NODE} or newer.`);
}

async function git({ cwd, env }: CommandContext): Promise<Finding> {
  try {
    const said = await gitRunner({ environment: env, timeoutMs: GIT_ANSWER_MS }).run(cwd, ['version']);
    const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(said) ?? []).map(Number);
    const isNew = major > OLDEST_GIT[0] || (major === OLDEST_GIT[0] && minor >= OLDEST_GIT[1]);
    const version = said.trim().replace(/^git version /, '');
    return isNew
      ? ok('git', version)
      : bad('git', `${version} is too old`, `Install git ${OLDEST_GIT.join('.')} or newer.`);
  } catch (error) {
    return fromError('git', error);
  }
}

function processes(): Finding {
  return readStat(process.pid) !== undefined
    ? ok('processes', 'can be told apart by their start time')
    : bad('processes', 'there is no /proc', 'Run workers on a Linux machine with /proc mounted.');
}

/** Where the journal and the workspaces are, or will be. */
async function disk({ env }: CommandContext): Promise<Finding> {
  const paths = legionPaths(env);
  if (!paths.ok) return bad('disk', paths.fault.message, paths.fault.next);
  const folder = nearestThere(paths.value.workspaces('any'));
  const { bavail, bsize } = await statfs(folder);
  return room('disk', bavail * bsize, DISK, `free in ${folder}`);
}

function memory(): Finding {
  return room('memory', process.availableMemory(), MEMORY, 'available');
}

function room(what: string, bytes: number, limits: { bad: number; warn: number }, where: string): Finding {
  const unit = bytes < GB ? MB : GB;
  const says = `${sizeText(Math.floor(bytes / unit) * unit)} ${where}`;
  if (bytes < limits.bad) return bad(what, says, 'Free some: no worker is started with so little.');
  return bytes < limits.warn ? warn(what, says, 'Free some, or run fewer workers at once.') : ok(what, says);
}

function nearestThere(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : nearestThere(dirname(path));
}
