/** What grows with the board: an edit, the answer with all cards, memory. */
import { get } from 'node:http';
import type { Bench, BenchContext } from './bench.ts';
import { editCost, editGrowth } from './edit-cost.ts';
import { type Installed, install } from './installed.ts';
import { fillBoard, largeBoardLegion } from './large-board.ts';
import type { BenchLegion } from './legion.ts';
import type { Measurement } from './measurement.ts';
import { asking } from './operator.ts';
import { rssMb } from './process-cost.ts';

const FEW = 300;
const MANY = 3_000;
const MOST = 10_000;
const SHORT_SIZES = [FEW, MANY] as const;
const SIZES = [...SHORT_SIZES, MOST] as const;

const PAYLOAD_GOAL_KB = 60;
const RSS_GOAL_MB = 255;

export const growthBench: Bench = {
  name: 'growth',
  description: 'an edit and the board of a legion with thousands of issues',
  deadlineMs: 900_000,
  async run(context) {
    const legion = largeBoardLegion();
    try {
      context.progress('building');
      return await measure(legion, await install(legion, context.signal), context);
    } finally {
      await legion.dispose();
    }
  },
};

async function measure(
  legion: BenchLegion,
  installed: Installed,
  context: BenchContext,
): Promise<Measurement[]> {
  const edits = new Map<number, number>();
  const measurements: Measurement[] = [];
  let filled = 0;
  for (const issues of context.short ? SHORT_SIZES : SIZES) {
    context.progress(`filling the board with ${issues} issues`);
    await fillBoard(legion, filled, issues);
    filled = issues;
    const { url, token, pid } = await installed.up();
    context.progress(`${issues} issues: edits`);
    const ms = await editCost(asking({ url, token }), pid, issues, context);
    edits.set(issues, ms);
    measurements.push({
      name: `an edit among ${issues.toLocaleString('en')} issues: processor time`,
      value: Math.round(ms * 10) / 10,
      unit: 'ms',
      goal: 'none',
      met: true,
    });
    if (issues === MANY) measurements.push(await measurePayload(url, token), memoryOf(pid));
    await installed.down();
  }
  for (const issues of [...edits.keys()].filter((size) => size >= MANY)) {
    measurements.push(editGrowth(FEW, edits.get(FEW) ?? 0, issues, edits.get(issues) ?? 0));
  }
  return measurements;
}

/** As a browser asks for it. */
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

function memoryOf(pid: number): Measurement {
  const mb = rssMb(pid);
  return {
    name: `the daemon with ${MANY.toLocaleString('en')} issues: memory`,
    value: mb,
    unit: 'MB',
    goal: `≤ ${RSS_GOAL_MB}`,
    met: mb <= RSS_GOAL_MB,
  };
}
