/**
 * Measures the time from a worker's report to the start of its successor's process, with 200 other
 * workers running.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/legion/resolve.ts';
import { resolveLegionPaths } from '../../src/config/paths.ts';
import type { Mode } from '../../src/core/model/mode.ts';
import { openDaemonContext } from '../../src/daemon/composition/open-context.ts';
import { openStateFolder } from '../../src/daemon/composition/open-state-folder.ts';
import type { DaemonContext } from '../../src/daemon/context/daemon-context.ts';
import { type ReconcileLoop, startLoop } from '../../src/daemon/loop/loop.ts';
import { createWorkerApi } from '../../src/daemon/worker-api/worker-api.ts';
import type { Agent } from '../../src/ports/agent.ts';
import type { VerbName } from '../../src/protocol/verb.ts';
import { ALWAYS_FIT } from '../../src/sim/daemon.ts';
import { type Bench, type BenchContext, waitUntil, withDeadline } from '../bench.ts';
import type { Measurement } from '../measurement.ts';
import { createBenchLegion, FEATURE, LAUNCHER, runGit } from '../support/legion.ts';

const BESIDE = 200;
/**
 * Number of issues that are taken from architect to review. Each has four reports that start
 * another worker.
 */
const DRIVEN = 20;
const SHORT_BESIDE = 40;
const SHORT_DRIVEN = 4;
const P50_GOAL_MS = 50;
const P99_GOAL_MS = 250;
/** All 220 workers start within ten seconds on an idle machine. */
const SPAWN_DEADLINE_MS = 180_000;
const REPORT_DEADLINE_MS = 30_000;

/**
 * An agent whose process only sleeps, because the benchmark measures the daemon and not an agent.
 */
const SLEEPER: Agent = {
  kind: 'sleeper',
  variables: [],
  receivesMessages: false,
  preflight: async () => ({ ready: true, version: '1' }),
  launch: () => ({ argv: ['/bin/sleep', '600'], env: {}, stdin: '' }),
  resume: () => ({ argv: ['/bin/sleep', '600'], env: {}, stdin: '' }),
  read: () => [],
  session: async () => 'missing',
};

export const reportToSpawnBench: Bench = {
  name: 'report-to-spawn',
  description: 'from a report to the next worker, with many workers running',
  deadlineMs: 600_000,
  run: measureReportToSpawn,
};

async function measureReportToSpawn({ short, signal, progress }: BenchContext): Promise<Measurement[]> {
  const beside = short ? SHORT_BESIDE : BESIDE;
  const driven = short ? SHORT_DRIVEN : DRIVEN;
  const legion = createBenchLegion({ commands: false });
  try {
    const { world: context, loop, say, close } = await open(legion.environment, legion.repository);
    try {
      progress(`starting ${beside + driven} workers`);
      const issues = await Promise.all(
        Array.from({ length: beside + driven }, (_, index) => add(context, index)),
      );
      await waitForProcesses(context, issues.length, signal);
      const times: number[] = [];
      for (const [index, issue] of issues.slice(0, driven).entries()) {
        progress(`issue ${index + 1} of ${driven}`);
        times.push(...(await runIssueThroughPhases(context, issue, say, signal)));
      }
      return toMeasurements(times, beside);
    } finally {
      await loop.stop();
      await close();
    }
  } finally {
    await legion.dispose();
  }
}

type SendVerb = (issue: string, mode: Mode, verb: VerbName, input: object) => Promise<void>;

async function open(environment: Readonly<Record<string, string>>, repository: string) {
  const resolved = loadConfig(
    { path: join(repository, 'legion.yaml'), named: true },
    { flags: [], environment },
  );
  const paths = resolveLegionPaths(environment);
  if (!resolved.ok || !paths.ok) throw new Error('The benchmark has no configuration.');
  let loop: ReconcileLoop | undefined;
  const opened = await openDaemonContext({
    config: () => resolved.value.config,
    folder: repository,
    state: openStateFolder(paths.value.state('bench'), LAUNCHER),
    paths: paths.value,
    environment,
    launcher: LAUNCHER,
    log: () => undefined,
    wake: (issue) => loop?.wake(issue),
  });
  // Uses an agent that only sleeps and a preflight that always passes, so that agent logins and
  // repository commands are not part of the measurement.
  const context: DaemonContext = {
    ...opened.context,
    agentOf: () => ({ agent: SLEEPER, use: {} }),
    preflight: ALWAYS_FIT,
  };
  const speech = createWorkerApi(context);
  loop = startLoop(context, async () => undefined);
  const say: SendVerb = async (issue, mode, verb, input) => {
    const attempt = context.ledger.state.workers.get(`${issue}-${mode}`.toLowerCase())?.attempt ?? 0;
    await speech.handleVerb({ issue, mode, attempt }, verb, input);
  };
  return { world: context, loop, say, close: opened.close };
}

async function add(context: DaemonContext, index: number): Promise<string> {
  const id = await context.tracker.create(`bench-${index}`, { ...FEATURE, title: `Greet person ${index}` });
  context.wake(id);
  return id;
}

async function waitForProcesses(
  { ledger }: DaemonContext,
  count: number,
  signal: AbortSignal,
): Promise<void> {
  const running = () => [...ledger.state.workers.values()].filter(({ process }) => process !== undefined);
  await waitUntil(() => running().length >= count, {
    what: `${count} workers to start`,
    deadlineMs: SPAWN_DEADLINE_MS,
    signal,
  });
}

/** Does for each phase what its worker would do, then reports done. */
async function runIssueThroughPhases(
  context: DaemonContext,
  issue: string,
  say: SendVerb,
  signal: AbortSignal,
): Promise<number[]> {
  const times: number[] = [];
  const handoff = { summary: 'done' };
  const next = async (mode: Mode, successor: Mode, attempt: number) => {
    const seen = waitForSpawn(context, issue, successor, attempt);
    const begun = performance.now();
    await withDeadline(() => Promise.all([say(issue, mode, 'done', handoff), seen]), {
      what: `the ${successor} worker of ${issue}`,
      deadlineMs: REPORT_DEADLINE_MS,
      signal,
    });
    times.push(performance.now() - begun);
  };
  await say(issue, 'architect', 'handoff_write', handoff);
  await next('architect', 'plan', 1);
  await say(issue, 'plan', 'handoff_write', handoff);
  await next('plan', 'implement', 1);
  const path = (await context.workspaces.find(issue))?.path ?? '';
  writeFileSync(join(path, `${issue}.txt`), 'work\n');
  runGit(path, 'add', '--all');
  runGit(path, 'commit', '--quiet', `--message=${issue}`);
  await say(issue, 'implement', 'push', {});
  await say(issue, 'implement', 'pr_open', { title: issue, body: `Closes ${issue}` });
  await next('implement', 'test', 1);
  await say(issue, 'test', 'verdict', { result: 'pass', suites: ['unit'] });
  await next('test', 'review', 1);
  return times;
}

function waitForSpawn({ ledger }: DaemonContext, issue: string, mode: Mode, attempt: number): Promise<void> {
  return new Promise((resolve) => {
    const stop = ledger.subscribe((events) => {
      const found = events.some(
        (event) =>
          event.type === 'attempt.spawned' &&
          event.issue === issue &&
          event.mode === mode &&
          event.attempt === attempt,
      );
      if (!found) return;
      stop();
      resolve();
    });
  });
}

function toMeasurements(times: readonly number[], beside: number): Measurement[] {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  const name = `report to next worker, with ${beside} others (${sorted.length} reports)`;
  return [
    {
      name: `${name}, p50`,
      value: at(0.5),
      unit: 'ms',
      goal: `≤ ${P50_GOAL_MS}`,
      met: at(0.5) <= P50_GOAL_MS,
    },
    {
      name: `${name}, p99`,
      value: at(0.99),
      unit: 'ms',
      goal: `≤ ${P99_GOAL_MS}`,
      met: at(0.99) <= P99_GOAL_MS,
    },
  ];
}
