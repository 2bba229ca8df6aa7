/** From a worker's report to its successor's process, beside 200 workers that are at it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/legion/load.ts';
import { legionPaths } from '../../src/config/paths.ts';
import { openWorld } from '../../src/daemon/compose-world.ts';
import { openStateFolder } from '../../src/daemon/composition/open-state-folder.ts';
import { type Loop, startLoop } from '../../src/daemon/loop.ts';
import { ALWAYS_FIT } from '../../src/daemon/preflight/always-fit.ts';
import { openSpeech } from '../../src/daemon/speech/speech.ts';
import type { World } from '../../src/daemon/world.ts';
import type { Mode } from '../../src/domain/mode.ts';
import type { Agent } from '../../src/ports/agent.ts';
import type { VerbName } from '../../src/protocol/verb.ts';
import { type Bench, type BenchContext, waitUntil, withDeadline } from '../bench.ts';
import type { Measurement } from '../measurement.ts';
import { benchLegion, FEATURE, git, LAUNCHER } from '../support/legion.ts';

const BESIDE = 200;
/** Each is driven from its architect to its review: four reports that are followed by another worker. */
const DRIVEN = 20;
const SHORT_BESIDE = 40;
const SHORT_DRIVEN = 4;
const P50_GOAL_MS = 50;
const P99_GOAL_MS = 250;
/** All 220 workers start within ten seconds on an idle machine. */
const SPAWN_DEADLINE_MS = 180_000;
const REPORT_DEADLINE_MS = 30_000;

/** A process that does nothing but be there: what is measured is the daemon, not an agent. */
const SLEEPER: Agent = {
  kind: 'sleeper',
  variables: [],
  hearsLetters: false,
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
  run: measure,
};

async function measure({ short, signal, progress }: BenchContext): Promise<Measurement[]> {
  const beside = short ? SHORT_BESIDE : BESIDE;
  const driven = short ? SHORT_DRIVEN : DRIVEN;
  const legion = benchLegion({ commands: false });
  try {
    const { world, loop, say, close } = await open(legion.environment, legion.repository);
    try {
      progress(`starting ${beside + driven} workers`);
      const issues = await Promise.all(
        Array.from({ length: beside + driven }, (_, index) => add(world, index)),
      );
      await waitForProcesses(world, issues.length, signal);
      const times: number[] = [];
      for (const [index, issue] of issues.slice(0, driven).entries()) {
        progress(`issue ${index + 1} of ${driven}`);
        times.push(...(await drive(world, issue, say, signal)));
      }
      return figures(times, beside);
    } finally {
      await loop.stop();
      await close();
    }
  } finally {
    await legion.dispose();
  }
}

type Say = (issue: string, mode: Mode, verb: VerbName, input: object) => Promise<void>;

async function open(environment: Readonly<Record<string, string>>, repository: string) {
  const resolved = loadConfig(
    { path: join(repository, 'legion.yaml'), named: true },
    { flags: [], environment },
  );
  const paths = legionPaths(environment);
  if (!resolved.ok || !paths.ok) throw new Error('the bench has no configuration');
  let loop: Loop | undefined;
  const opened = await openWorld({
    config: () => resolved.value.config,
    folder: repository,
    state: openStateFolder(paths.value.state('bench'), LAUNCHER),
    paths: paths.value,
    environment,
    launcher: LAUNCHER,
    tell: () => undefined,
    wake: (issue) => loop?.wake(issue),
  });
  // Neither an agent's login nor the repository's commands are measured here.
  const world: World = {
    ...opened.world,
    agentOf: () => ({ agent: SLEEPER, use: {} }),
    preflight: ALWAYS_FIT,
  };
  const speech = openSpeech(world);
  loop = startLoop(world, async () => undefined);
  const say: Say = async (issue, mode, verb, input) => {
    const attempt = world.ledger.swarm.workers.get(`${issue}-${mode}`.toLowerCase())?.attempt ?? 0;
    await speech.say({ issue, mode, attempt }, verb, input);
  };
  return { world, loop, say, close: opened.close };
}

async function add(world: World, index: number): Promise<string> {
  const id = await world.tracker.create(`bench-${index}`, { ...FEATURE, title: `Greet person ${index}` });
  world.wake(id);
  return id;
}

async function waitForProcesses({ ledger }: World, count: number, signal: AbortSignal): Promise<void> {
  const running = () => [...ledger.swarm.workers.values()].filter(({ process }) => process !== undefined);
  await waitUntil(() => running().length >= count, {
    what: `${count} workers to start`,
    deadlineMs: SPAWN_DEADLINE_MS,
    signal,
  });
}

/** What a worker of each mode does before it says that it is done. */
async function drive(world: World, issue: string, say: Say, signal: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  const handoff = { summary: 'done' };
  const next = async (mode: Mode, successor: Mode, attempt: number) => {
    const seen = nextSpawn(world, issue, successor, attempt);
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
  const path = (await world.workspaces.find(issue))?.path ?? '';
  writeFileSync(join(path, `${issue}.txt`), 'work\n');
  git(path, 'add', '--all');
  git(path, 'commit', '--quiet', `--message=${issue}`);
  await say(issue, 'implement', 'push', {});
  await say(issue, 'implement', 'pr_open', { title: issue, body: `Closes ${issue}` });
  await next('implement', 'test', 1);
  await say(issue, 'test', 'verdict', { result: 'pass', suites: ['unit'] });
  await next('test', 'review', 1);
  return times;
}

function nextSpawn({ ledger }: World, issue: string, mode: Mode, attempt: number): Promise<void> {
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

function figures(times: readonly number[], beside: number): Measurement[] {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  const name = `report to next worker, beside ${beside} (${sorted.length} reports)`;
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
