/** What a whole life of an issue costs beside the bare git and process work it contains. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runDaemon } from '../src/daemon/compose.ts';
import type { DaemonFile } from '../src/protocol/daemon-file.ts';
import { bareLife } from './bare-life.ts';
import { type BenchLegion, benchLegion, FEATURE, LAUNCHER } from './legion.ts';
import { type Measurement, median } from './measurement.ts';

/** Rounds alternate, so that a machine that slows down for a while slows both; the first is a rehearsal. */
const ROUNDS = 6;
const RATIO_GOAL = 1.3;
/** How often the board is looked at; it asks nothing of git. */
const LOOK_MS = 20;

export async function benchLife(): Promise<Measurement[]> {
  const legion = benchLegion(true);
  const ending = new AbortController();
  const ready = Promise.withResolvers<DaemonFile>();
  const ended = runDaemon({
    file: { path: join(legion.repository, 'legion.yaml'), named: true },
    flags: [],
    environment: legion.environment,
    launcher: LAUNCHER,
    version: 'bench',
    signal: ending.signal,
    onReady: ready.resolve,
    log: () => undefined,
  });
  ended.catch(ready.reject);
  try {
    const ask = asking((await ready.promise).url, legion);
    await approveCommands(ask);
    const ours: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const [bareMs, ourMs] = [await bareLife(legion, `BARE-${round}`), await life(ask, round)];
      if (round === 0) continue;
      bare.push(bareMs);
      ours.push(ourMs);
    }
    return figures(median(ours), median(bare));
  } finally {
    ending.abort();
    await ended;
    legion.dispose();
  }
}

type Ask = <T>(method: string, path: string, body?: object) => Promise<T>;

function asking(url: string, { environment }: BenchLegion): Ask {
  const { XDG_STATE_HOME = '' } = environment;
  const token = readFileSync(join(XDG_STATE_HOME, 'legion/legions/bench/token'), 'utf8').trim();
  return async (method, path, body) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer as never;
  };
}

async function approveCommands(ask: Ask): Promise<void> {
  for (const { repo, fingerprint } of await ask<{ repo: string; fingerprint: string }[]>(
    'GET',
    '/repositories/commands',
  )) {
    await ask('POST', '/repositories/commands/approve', { repo, fingerprint });
  }
}

/** From the issue's coming into being until it is Done. */
async function life(ask: Ask, round: number): Promise<number> {
  const begun = performance.now();
  const { id } = await ask<{ id: string }>('POST', '/issues', { ...FEATURE, title: `Greet person ${round}` });
  for (;;) {
    const board = await ask<{ id: string; status: string }[]>('GET', '/issues');
    if (board.some((issue) => issue.id === id && issue.status === 'Done')) return performance.now() - begun;
    await sleep(LOOK_MS);
  }
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
