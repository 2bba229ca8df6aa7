/** Lists every kind of value that each source can have, and judges all combinations. */
import { expect } from 'vitest';
import type { HealthEvidence, Suspicion } from '../../../../src/core/health/evidence.ts';
import { judgeHealth } from '../../../../src/core/health/judge.ts';
import { DEFAULT_HEALTH_LIMITS } from '../../../../src/core/health/limits.ts';
import { SEED } from '../../../ports/host/random.ts';
import { chooseByEffort } from '../../../support/effort.ts';
import { broken } from './safety.ts';
import {
  ALIVE,
  ago,
  asked,
  DAY,
  ENDING,
  examined,
  flagged,
  GONE,
  HOUR,
  MINUTE,
  NOW,
  SECOND,
  worker,
} from './world.ts';

type Values = { readonly [Key in keyof HealthEvidence]?: readonly HealthEvidence[Key][] };

/**
 * The flag was raised 4 min ago, at FLAG. The time BEFORE is earlier than FLAG, and AFTER is later.
 */
const FLAG = ago(4 * MINUTE);
const BEFORE = ago(3 * HOUR);
const AFTER = ago(MINUTE);

/** Every source with each kind of value that the source can have, including `unavailable`. */
export const SOURCES = {
  process: [
    ALIVE,
    { state: 'alive', identity: 'differs' },
    { state: 'alive', identity: 'unchecked' },
    { ...GONE, since: FLAG },
    { state: 'gone', since: BEFORE, exit: { code: 0, signal: null } },
    { state: 'never_seen' },
    'unavailable',
  ],
  agent: [
    { kind: 'none' },
    { kind: 'text', at: BEFORE },
    { kind: 'tool_started', at: BEFORE },
    { kind: 'turn_ended', at: BEFORE },
    { kind: 'text', at: AFTER },
    { kind: 'turn_ended', at: AFTER },
    'unavailable',
  ],
  tool: ['none', { since: BEFORE }, 'unavailable'],
  cpu: [{ usedMs: 5_000 }, { usedMs: 9_000 }, 'unavailable'],
  children: [{ count: 1, newestAt: BEFORE }, { count: 2, newestAt: AFTER }, 'unavailable'],
  sessionFile: ['missing', { at: BEFORE }, { at: AFTER }, 'unavailable'],
  report: [
    'none',
    { where: 'outbox', since: BEFORE },
    { where: 'done_flag', since: ago(SECOND) },
    'unavailable',
  ],
  checkpoint: ['none', { at: BEFORE }, { at: AFTER }, 'unavailable'],
  rateLimit: [
    'none',
    { seenAt: AFTER, resetAt: NOW + HOUR },
    { seenAt: BEFORE, resetAt: FLAG },
    { seenAt: AFTER, resetAt: 'unknown' },
    'unavailable',
  ],
  output: ['text', 'empty', 'none', 'unavailable'],
  workspace: ['yes', 'no', 'unavailable'],
} as const satisfies Values;

export const SUSPICIONS: readonly Suspicion[] = [
  { flagged: false },
  { flagged: false, clearedAt: ago(30 * SECOND) },
  flagged(FLAG),
  flagged(FLAG, asked(ago(10 * SECOND))),
  flagged(FLAG, asked(ago(3 * MINUTE))),
  flagged(FLAG, examined(ago(3 * MINUTE))),
  flagged(FLAG, { state: 'answered', at: AFTER }),
  flagged(FLAG, { state: 'failed', at: AFTER, how: 'ask' }),
  flagged(FLAG, { state: 'failed', at: AFTER, how: 'examine' }),
  { flagged: true, since: FLAG, phase: 'plan', cpuMs: 'unavailable', probe: examined(ago(3 * MINUTE)) },
  { flagged: true, since: BEFORE, phase: 'implement', cpuMs: 5_000, probe: examined(BEFORE) },
];

/** Normal operation, the daemon's first minute, and a clock set back by a little and by a lot. */
export const MOMENTS: readonly { readonly now: number; readonly watchingSince: number }[] = [
  { now: NOW, watchingSince: ago(DAY) },
  { now: NOW, watchingSince: ago(30 * SECOND) },
  { now: AFTER - 1, watchingSince: ago(DAY) },
  { now: ago(2 * DAY), watchingSince: ago(10 * DAY) },
];

/** Evidence without activity after the flag, unless an enumerated source shows some. */
const BASE = worker({
  spawnedAt: ago(4 * HOUR),
  stateSince: ago(4 * HOUR),
  agent: { kind: 'text', at: BEFORE },
  sessionFile: { at: BEFORE },
  children: { count: 1, newestAt: BEFORE },
});
export const CRUCIAL = [flagged(FLAG, asked(ago(3 * MINUTE))), flagged(FLAG, examined(ago(3 * MINUTE)))];

/**
 * `npm test` checks only every 13th combination. The number of values of each source must not share
 * a factor with this stride, or some values of that source would never be checked.
 */
const STRIDE = chooseByEffort(13, 1);

/** Checks that no combination violates a guarantee. Returns the number of combinations. */
export function expectNothingBroken(values: Values, moments = MOMENTS): number {
  const axes = Object.entries(values) as [keyof HealthEvidence, readonly unknown[]][];
  const total = axes.reduce((product, [, options]) => product * options.length, 1);
  if (STRIDE > 1)
    for (const [source, options] of axes)
      expect(options.length % STRIDE, `the stride reaches every value of ${source}`).not.toBe(0);
  const complaints = new Map<string, string>();
  let endings = 0;
  for (const { now, watchingSince } of moments) {
    for (let index = SEED % STRIDE; index < total; index += STRIDE) {
      const evidence = combination(axes, index, watchingSince);
      const judgement = judgeHealth(evidence, now, DEFAULT_HEALTH_LIMITS);
      if (ENDING.has(judgement.next)) endings += 1;
      const found = broken(evidence, now, judgement);
      // Judges some combinations twice, which is enough to catch hidden state or randomness.
      if (
        index % (101 * STRIDE) === SEED % STRIDE &&
        JSON.stringify(judgeHealth(evidence, now, DEFAULT_HEALTH_LIMITS)) !== JSON.stringify(judgement)
      )
        found.push('judged differently the second time');
      for (const complaint of found)
        complaints.set(complaint, JSON.stringify({ now: now - NOW, ...evidence }));
    }
  }
  expect([...complaints], `LEGION_SEED=${SEED}`).toEqual([]);
  expect(endings, 'at least one combination ends a worker').toBeGreaterThan(0);
  return total * moments.length;
}

/**
 * Returns the `index`-th combination. Combinations are numbered like an odometer that has one wheel
 * per source.
 */
function combination(
  axes: readonly [keyof HealthEvidence, readonly unknown[]][],
  index: number,
  watchingSince: number,
): HealthEvidence {
  const evidence: Record<string, unknown> = { ...BASE, watchingSince };
  let rest = index;
  for (const [name, options] of axes) {
    evidence[name] = options[rest % options.length];
    rest = Math.floor(rest / options.length);
  }
  return evidence as unknown as HealthEvidence;
}
