/** `npm run chaos`: kills the real daemon, its workers and its runners at random moments over fifty issues, and looks on from outside. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, styleText } from 'node:util';
import { install } from '../bench/installed.ts';
import { benchLegion, FEATURE } from '../bench/legion.ts';
import { approveCommands, asking } from '../bench/operator.ts';
import { randomFrom } from '../src/sim/random.ts';
import { isThere, overlapping, runnersOf, workersOf } from './processes.ts';
import { broken, ISSUES, landedWrong, unadopted, unfinished } from './verdict.ts';

const READY_GOAL_MS = 5_000;
/** Between two kills: long enough for a few steps, short enough to meet them in the middle. */
const LEAST_MS = 100;
const MOST_MS = 2_500;
/** How often the observer looks: a worker lives for a tenth of a second at least. */
const LOOK_MS = 50;

const YAML = `legion: bench
port: 0
limits: { workers: 10, respawns: 100 }
approvals: { architect: auto, merge: auto }
dispatch: { stagger: 0s }
health:
  { grace: 0s, second_look: 0.1s, backoff_first: 0.1s, backoff_most: 0.5s, after_step: 1s,
    loop_crashes: 1000, breaker_crashes: 1000 }
`;

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '25' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
});
const [kills, seed] = [Number(values.kills), Number(values.seed)];
if (!Number.isSafeInteger(kills) || kills < 1 || !Number.isSafeInteger(seed)) {
  process.stderr.write('chaos: npm run chaos -- [--kills N] [--seed S] [--json]\n');
  process.exitCode = 2;
} else {
  const wrong = await chaos();
  process.exitCode = wrong.length === 0 ? 0 : 1;
}

async function chaos(): Promise<readonly string[]> {
  const random = randomFrom(seed);
  const legion = benchLegion(true);
  writeFileSync(join(legion.repository, 'legion.yaml'), YAML);
  const { XDG_STATE_HOME = '' } = legion.environment;
  const state = join(XDG_STATE_HOME, 'legion/legions/bench');
  const { up, down, launcher } = install(legion);
  const wrong: string[] = [];
  const say = (text: string) => void (values.json || process.stderr.write(`${text}\n`));
  // The same words on the command line, but none of ours: whoever signals by name ends these.
  const decoys = Array.from({ length: 3 }, () =>
    spawn(
      process.execPath,
      ['-e', 'setInterval(() => {}, 1000)', launcher[1], 'scripted', '--session', 'decoy'],
      {
        stdio: 'ignore',
      },
    ),
  );
  const observer = setInterval(() => {
    for (const both of overlapping(workersOf(state))) if (!wrong.includes(both)) wrong.push(both);
  }, LOOK_MS);
  const counts = { daemon: 0, workers: 0, runners: 0 };
  const ready: number[] = [];
  try {
    let daemon = await up();
    const ask = asking(daemon);
    await approveCommands(ask);
    for (let index = 0; index < ISSUES; index += 1) {
      await ask('POST', '/issues', { ...FEATURE, title: `Greet person ${index}`, key: `chaos-${index}` });
    }
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(random.between(LEAST_MS, MOST_MS));
      const victim = random.next();
      const workers = workersOf(state);
      const runners = runnersOf(state);
      if (victim < 0.15 && workers.length > 0) {
        counts.workers += end(workers[random.between(0, workers.length - 1)]?.pid);
        continue;
      }
      if (victim < 0.25 && runners.length > 0) {
        counts.runners += end(runners[random.between(0, runners.length - 1)]);
        continue;
      }
      counts.daemon += end(daemon.pid);
      while (isThere(daemon.pid)) await sleep(1);
      const begun = performance.now();
      daemon = await up();
      ready.push(performance.now() - begun);
      wrong.push(
        ...(await unadopted(
          asking(daemon),
          workers.map(({ pid }) => pid),
        )),
      );
      if (kill % 10 === 9) say(`${kill + 1} of ${kills} kills`);
    }
    wrong.push(...(await unfinished(asking(daemon), say)));
    wrong.push(...landedWrong(legion.repository), ...broken(state));
    await down();
  } finally {
    clearInterval(observer);
    for (const decoy of decoys) {
      if (decoy.exitCode !== null || decoy.signalCode !== null)
        wrong.push(`a foreign process was signalled: ${decoy.pid}`);
      decoy.kill('SIGKILL');
    }
    for (const { pid } of workersOf(state)) end(pid);
    if (wrong.length === 0) legion.dispose();
    else say(`what is left of it: ${legion.folder}`);
  }
  const slowest = Math.round(Math.max(0, ...ready));
  if (slowest > READY_GOAL_MS) wrong.push(`ready again only after ${slowest} ms`);
  const summary = {
    ok: wrong.length === 0,
    seed,
    kills: counts,
    issues: ISSUES,
    slowestReadyMs: slowest,
    wrong,
  };
  if (values.json) process.stdout.write(`${JSON.stringify(summary)}\n`);
  else {
    const verdict = summary.ok ? styleText('green', 'nothing was lost') : styleText('red', wrong.join('\n'));
    process.stdout.write(
      `killed: daemon ${counts.daemon}, workers ${counts.workers}, runners ${counts.runners}; slowest start ${slowest} ms: ${verdict}\n`,
    );
  }
  return wrong;
}

function end(pid: number | undefined): number {
  if (pid === undefined || !isThere(pid)) return 0;
  process.kill(pid, 'SIGKILL');
  return 1;
}
