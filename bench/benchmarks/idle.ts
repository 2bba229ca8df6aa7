/** Measures memory and processor time of an installed daemon while nothing happens. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import type { Measurement } from '../measurement.ts';
import { install } from '../support/installed.ts';
import { createBenchLegion } from '../support/legion.ts';
import { readCpuMs, readRssMb } from '../support/process-cost.ts';

const RSS_GOAL_MB = 120;
const CPU_GOAL_PERCENT = 0.5;
/**
 * Long enough for the first pass and start-up work to finish, and for their garbage to be
 * collected.
 */
const SETTLED_MS = 120_000;
const SHORT_SETTLED_MS = 10_000;
const WATCHED_MS = 10_000;

/** Starts the installed daemon with `legion up` and measures it from outside. */
export const idleBench: Bench = {
  name: 'idle',
  description: 'memory and processor time of an idle daemon',
  deadlineMs: 300_000,
  async run({ short, signal, progress }) {
    const legion = createBenchLegion({ commands: false });
    try {
      progress('building');
      const { up } = await install(legion, signal);
      const { pid } = await up();
      const settledMs = short ? SHORT_SETTLED_MS : SETTLED_MS;
      progress(`letting the daemon settle for ${settledMs / 1_000} s`);
      await sleep(settledMs, undefined, { signal });
      progress(`watching it for ${WATCHED_MS / 1_000} s`);
      const before = readCpuMs(pid);
      await sleep(WATCHED_MS, undefined, { signal });
      const percent = Math.round(((readCpuMs(pid) - before) / WATCHED_MS) * 10_000) / 100;
      return toMeasurements(readRssMb(pid), percent);
    } finally {
      await legion.dispose();
    }
  },
};

function toMeasurements(mb: number, percent: number): Measurement[] {
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
