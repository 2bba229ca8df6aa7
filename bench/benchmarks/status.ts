/** Measures how long `legion status` takes on a large board, and where the processor time goes. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Bench } from '../bench.ts';
import { computeMedian, type Measurement } from '../measurement.ts';
import { waitForInitialPass } from '../support/edit-cost.ts';
import { type InstalledLegion, install } from '../support/installed.ts';
import { createBoardIssues, createLargeBoardLegion } from '../support/large-board.ts';
import type { BenchLegion } from '../support/legion.ts';
import { approveCommands, createOperatorRequest } from '../support/operator.ts';
import { readChildrenCpuMs, readCpuMs } from '../support/process-cost.ts';

const ISSUES = 2_000;
const ROUNDS = 15;
const SHORT_ROUNDS = 5;
const GOAL_MS = 300;
const STATUS_DEADLINE_MS = 60_000;
/** The table of all issues is about half a megabyte. */
const MAX_OUTPUT_BYTES = 10_000_000;

export const statusBench: Bench = {
  name: 'status',
  description: 'legion status on a board of 2,000 issues',
  deadlineMs: 300_000,
  async run({ short, signal, progress }) {
    const legion = createLargeBoardLegion();
    try {
      progress('building');
      const installed = await install(legion, signal);
      progress(`filling the board with ${ISSUES} issues`);
      await createBoardIssues(legion, 0, ISSUES);
      const { url, token, pid } = await installed.up();
      const ask = createOperatorRequest({ url, token });
      await approveCommands(ask);
      progress('waiting for the first pass over the board');
      await waitForInitialPass(ask, ISSUES, signal);
      progress('legion status');
      return await measureStatus(legion, installed, pid, short ? SHORT_ROUNDS : ROUNDS, signal);
    } finally {
      await legion.dispose();
    }
  },
};

async function measureStatus(
  legion: BenchLegion,
  installed: InstalledLegion,
  daemon: number,
  rounds: number,
  signal: AbortSignal,
): Promise<Measurement[]> {
  // The first run fills the compile cache.
  await runStatus(legion, installed, signal);
  const times: number[] = [];
  const [commandBefore, daemonBefore] = [readChildrenCpuMs(), readCpuMs(daemon)];
  for (let round = 0; round < rounds; round += 1) {
    const begun = performance.now();
    await runStatus(legion, installed, signal);
    times.push(performance.now() - begun);
  }
  const ms = Math.round(computeMedian(times));
  const name = `legion status with ${ISSUES.toLocaleString('en')} issues`;
  return [
    { name, value: ms, unit: 'ms', goal: `≤ ${GOAL_MS}`, met: ms <= GOAL_MS },
    toCpuTimeMeasurement(
      `${name}: processor time of the command`,
      (readChildrenCpuMs() - commandBefore) / rounds,
    ),
    toCpuTimeMeasurement(
      `${name}: processor time of the daemon`,
      (readCpuMs(daemon) - daemonBefore) / rounds,
    ),
  ];
}

function toCpuTimeMeasurement(name: string, ms: number): Measurement {
  return { name, value: Math.round(ms), unit: 'ms', goal: 'none', met: true };
}

async function runStatus(
  { repository, environment }: BenchLegion,
  { launcher: [program, ...args] }: InstalledLegion,
  signal: AbortSignal,
): Promise<void> {
  await promisify(execFile)(program, [...args, 'status'], {
    cwd: repository,
    env: { ...environment },
    signal,
    timeout: STATUS_DEADLINE_MS,
    maxBuffer: MAX_OUTPUT_BYTES,
  });
}
