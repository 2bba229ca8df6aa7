/** What a daemon costs while nothing happens: memory and processor, as installed. */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { benchLegion } from './legion.ts';
import type { Measurement } from './measurement.ts';

const RSS_GOAL_MB = 80;
const CPU_GOAL_PERCENT = 0.5;
/** After the first look and the last of its start-up; what that left behind is collected within two minutes. */
const SETTLED_MS = 120_000;
const WATCHED_MS = 10_000;
/** What Linux counts processor time in. */
const TICKS_PER_SECOND = 100;

/** `legion up` starts the daemon as it would for anybody who has installed it; it is measured from outside. */
export async function benchIdle(): Promise<Measurement[]> {
  const legion = benchLegion(false);
  const installed = join(legion.folder, 'installed');
  install(installed);
  const call = (...args: readonly string[]) => run(installed, args, legion.repository, legion.environment);
  try {
    await call('up');
    const { XDG_STATE_HOME = '' } = legion.environment;
    const file = readFileSync(join(XDG_STATE_HOME, 'legion/legions/bench/daemon.json'), 'utf8');
    const { pid } = JSON.parse(file) as { pid: number };
    await sleep(SETTLED_MS);
    const before = cpuMs(pid);
    await sleep(WATCHED_MS);
    const percent = Math.round(((cpuMs(pid) - before) / WATCHED_MS) * 10_000) / 100;
    return figures(rssMb(pid), percent);
  } finally {
    await call('down');
    legion.dispose();
  }
}

/** What is published, built now; without the source beside it the launcher takes the bundle. */
function install(folder: string): void {
  const root = join(import.meta.dirname, '..');
  execFileSync(process.execPath, [join(root, 'scripts/build.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (const part of ['bin', 'dist', 'package.json']) {
    cpSync(join(root, part), join(folder, part), { recursive: true });
  }
}

function run(
  installed: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const given = [join(installed, 'bin/legion.js'), ...args];
  const child = spawn(process.execPath, given, {
    cwd,
    env: { ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`legion ${args[0]} ended with ${code}`)),
    );
  });
}

function rssMb(pid: number): number {
  const [, kib = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round((Number(kib) * 1_024) / 1e6);
}

function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_PER_SECOND;
}

function figures(mb: number, percent: number): Measurement[] {
  return [
    {
      name: 'idle daemon, as installed: memory',
      value: mb,
      unit: 'MB',
      goal: `≤ ${RSS_GOAL_MB}`,
      met: mb <= RSS_GOAL_MB,
    },
    {
      name: 'idle daemon, as installed: processor',
      value: percent,
      unit: '%',
      goal: `≤ ${CPU_GOAL_PERCENT}`,
      met: percent <= CPU_GOAL_PERCENT,
    },
  ];
}
