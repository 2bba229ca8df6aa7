/** What a whole life of an issue costs beside the bare git and process work it contains. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bareLife } from './bare-life.ts';
import { install } from './installed.ts';
import { type BenchLegion, benchLegion, FEATURE } from './legion.ts';
import { type Measurement, median } from './measurement.ts';
import { type Ask, approveCommands, asking } from './operator.ts';

/** Rounds alternate, so that a machine that slows down for a while slows both; the first is a rehearsal. */
const ROUNDS = 6;
const RATIO_GOAL = 1.3;
/** How often it is looked whether a workspace is gone. */
const LOOK_MS = 20;

export async function benchLife(): Promise<Measurement[]> {
  const legion = benchLegion(true);
  const { launcher, up, down } = install(legion);
  try {
    const ask = asking(await up());
    await approveCommands(ask);
    const ours: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const bareMs = await bareLife(legion, launcher, `BARE-${round}`);
      const ourMs = await life(ask, round);
      await untilClean(legion);
      if (round === 0) continue;
      bare.push(bareMs);
      ours.push(ourMs);
    }
    return figures(median(ours), median(bare));
  } finally {
    await down();
    legion.dispose();
  }
}

/** From the coming into being until it is Done. */
async function life(ask: Ask, round: number): Promise<number> {
  // Told rather than asked again and again: a question is work as well.
  const { body: events } = await ask('GET', '/events');
  if (events === null) throw new Error('there are no events');
  const begun = performance.now();
  await ask('POST', '/issues', { ...FEATURE, title: `Greet person ${round}` });
  let said = '';
  for await (const part of events.pipeThrough(new TextDecoderStream())) {
    said += part;
    if (said.includes('moved to Done')) return performance.now() - begun;
  }
  throw new Error(`the daemon ended before the issue was Done: ${said}`);
}

/** What is cleared away after a life must not slow the next. */
async function untilClean({ environment: { XDG_DATA_HOME = '' } }: BenchLegion): Promise<void> {
  const root = join(XDG_DATA_HOME, 'legion/workspaces/bench');
  while (readdirSync(root).some((name) => !name.startsWith('.'))) await sleep(LOOK_MS);
}

function figures(ours: number, bare: number): Measurement[] {
  const ratio = Math.round((ours / bare) * 100) / 100;
  return [
    {
      name: 'a whole life: bare git and process work',
      value: Math.round(bare),
      unit: 'ms',
      goal: 'none',
      met: true,
    },
    { name: 'a whole life, Triage to Done', value: Math.round(ours), unit: 'ms', goal: 'none', met: true },
    {
      name: 'a whole life against its bare work',
      value: ratio,
      unit: '×',
      goal: `≤ ${RATIO_GOAL}`,
      met: ratio <= RATIO_GOAL,
    },
  ];
}
