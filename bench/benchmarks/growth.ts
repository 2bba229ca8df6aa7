/**
 * Measures what grows with the size of the board: the cost of an edit, the response with all cards,
 * and memory.
 */
import { get } from 'node:http';
import type { Bench, BenchContext } from '../bench.ts';
import type { Measurement } from '../measurement.ts';
import {
  compareEdits,
  type EditedDaemon,
  toEditGrowthMeasurement,
  waitForInitialPass,
} from '../support/edit-cost.ts';
import { type InstalledLegion, install } from '../support/installed.ts';
import { createBoardIssues, createLargeBoardLegion } from '../support/large-board.ts';
import type { BenchLegion } from '../support/legion.ts';
import { approveCommands, createOperatorRequest } from '../support/operator.ts';
import { readRssMb } from '../support/process-cost.ts';

const FEW = 300;
const MANY = 3_000;
const MAX_ISSUES = 10_000;
const SHORT_SIZES = [MANY] as const;
const SIZES = [MANY, MAX_ISSUES] as const;

const PAYLOAD_GOAL_KB = 60;
const RSS_GOAL_MB = 255;

export const growthBench: Bench = {
  name: 'growth',
  description: 'edits and board size with thousands of issues',
  deadlineMs: 900_000,
  async run(context) {
    const small = createLargeBoardLegion();
    const large = createLargeBoardLegion();
    try {
      context.progress('building');
      const [few, many] = [await install(small, context.signal), await install(large, context.signal)];
      const daemon = await open(small, few, 0, FEW, context);
      return await measureGrowth(daemon, large, many, context);
    } finally {
      await small.dispose();
      await large.dispose();
    }
  },
};

type OpenDaemon = EditedDaemon & { readonly url: string; readonly token: string };

/**
 * Fills the board until it has `issues` issues, starts a daemon, and waits until the daemon has
 * read all of them. `filled` is the number of issues that are already on the board.
 */
async function open(
  legion: BenchLegion,
  installed: InstalledLegion,
  filled: number,
  issues: number,
  { signal, progress }: BenchContext,
): Promise<OpenDaemon> {
  progress(`filling a board with ${issues} issues`);
  await createBoardIssues(legion, filled, issues);
  const { url, token, pid } = await installed.up();
  const ask = createOperatorRequest({ url, token });
  await approveCommands(ask);
  await waitForInitialPass(ask, issues, signal);
  return { ask, pid, issues, url, token };
}

async function measureGrowth(
  few: OpenDaemon,
  legion: BenchLegion,
  installed: InstalledLegion,
  context: BenchContext,
): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  // Starts with few issues, because a first pass over 3,000 new issues at once takes more memory
  // than any restart.
  await open(legion, installed, 0, FEW, context);
  await installed.down();
  let filled = FEW;
  for (const issues of context.short ? SHORT_SIZES : SIZES) {
    const many = await open(legion, installed, filled, issues, context);
    filled = issues;
    context.progress(`edits among ${issues} issues and among ${FEW}`);
    const costs = await compareEdits(few, many, context);
    if (issues === MANY) measurements.push(toEditMeasurement(FEW, costs.few));
    measurements.push(toEditMeasurement(issues, costs.many), toEditGrowthMeasurement(FEW, issues, costs));
    if (issues === MANY)
      measurements.push(await measurePayload(many.url, many.token), toMemoryMeasurement(many.pid));
    await installed.down();
  }
  return measurements;
}

function toEditMeasurement(issues: number, ms: number): Measurement {
  return {
    name: `an edit among ${issues.toLocaleString('en')} issues: processor time`,
    value: Math.round(ms * 10) / 10,
    unit: 'ms',
    goal: 'none',
    met: true,
  };
}

/**
 * Requests all cards with the headers that a browser sends, and measures the size of the response.
 */
async function measurePayload(url: string, token: string): Promise<Measurement> {
  const bytes = await new Promise<number>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip, deflate, br, zstd' };
    get(`${url}/board`, { headers }, (response) => {
      let sum = 0;
      if (response.statusCode !== 200) reject(new Error(`GET /board: ${response.statusCode}`));
      response.on('data', (chunk: Buffer) => {
        sum += chunk.length;
      });
      response.on('end', () => resolve(sum));
      response.on('error', reject);
    }).on('error', reject);
  });
  const kb = Math.round(bytes / 100) / 10;
  return {
    name: `the board of ${MANY.toLocaleString('en')} issues on the wire`,
    value: kb,
    unit: 'kB',
    goal: `≤ ${PAYLOAD_GOAL_KB}`,
    met: kb <= PAYLOAD_GOAL_KB,
  };
}

function toMemoryMeasurement(pid: number): Measurement {
  const mb = readRssMb(pid);
  return {
    name: `the daemon with ${MANY.toLocaleString('en')} issues: memory`,
    value: mb,
    unit: 'MB',
    goal: `≤ ${RSS_GOAL_MB}`,
    met: mb <= RSS_GOAL_MB,
  };
}
