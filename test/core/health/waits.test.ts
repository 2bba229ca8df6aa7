import { describe, expect, test } from 'vitest';
import type { HealthEvidence } from '../../../src/core/health/evidence.ts';
import { computeJitter } from '../../../src/core/health/waits.ts';
import { ago, DAY, GONE, HOUR, look, MINUTE, NOW, SECOND, silentFor, worker } from './support/world.ts';

function refused(resetAt: number | 'unknown', change: Partial<HealthEvidence> = {}): HealthEvidence {
  const seenAt = ago(MINUTE);
  return worker({
    state: 'waiting-quota',
    stateSince: seenAt,
    rateLimit: { seenAt, resetAt },
    process: GONE,
    ...change,
  });
}

const JITTER = computeJitter('eng-21-implement', 1, 15 * SECOND);

test("a provider's refusal still causes a wait if the clock was set back before the refusal", () => {
  const seenAt = ago(SECOND);
  const given = { stateSince: NOW + HOUR, rateLimit: { seenAt, resetAt: NOW + MINUTE } } as const;
  expect(look(worker({ state: 'executing', process: GONE, ...given })).next).toBe('hold_for_quota');
});

describe('waiting for a person', () => {
  const waiting = (ms: number, change: Partial<HealthEvidence> = {}) =>
    look(worker({ state: 'waiting-user', stateSince: ago(ms), spawnedAt: ago(ms), ...change }));

  test('does nothing for a day, then reminds the person', () => {
    expect(waiting(DAY - 1)).toMatchObject({
      verdict: 'waiting',
      next: 'leave_alone',
      until: 'person',
      lookAgainAt: NOW + SECOND,
    });
    expect(waiting(DAY)).toMatchObject({ verdict: 'waiting', next: 'remind', until: 'person' });
  });

  test('reminds the person daily, not on every check', () => {
    expect(waiting(5 * DAY, { personToldAt: ago(DAY - 1) }).next).toBe('leave_alone');
    expect(waiting(5 * DAY, { personToldAt: ago(DAY) }).next).toBe('remind');
  });

  test('is not affected by a dead process, a missing workspace or a silent session', () => {
    expect(waiting(HOUR, { process: GONE, workspace: 'no', sessionFile: 'missing' }).next).toBe(
      'leave_alone',
    );
  });

  test("also applies in the daemon's first minute and with an unreadable clock", () => {
    expect(waiting(HOUR, { watchingSince: NOW }).verdict).toBe('waiting');
    expect(waiting(HOUR, { spawnedAt: Number.NaN }).verdict).toBe('waiting');
  });
});

describe('waiting for quota', () => {
  test('ends at the provider’s reset time plus jitter, neither earlier nor hours later', () => {
    const resetAt = NOW + 63 * SECOND;
    const judgement = look(refused(resetAt));
    expect(judgement).toMatchObject({
      verdict: 'waiting',
      next: 'leave_alone',
      lookAgainAt: resetAt + JITTER,
    });
    expect(look(refused(resetAt), resetAt + JITTER - 1).next).toBe('leave_alone');
    expect(look(refused(resetAt), resetAt + JITTER).next).toBe('resume_after_quota');
  });

  test('is not treated as a crash, even if the worker looks dead', () => {
    expect(look(refused(NOW + 5 * DAY, { workspace: 'no', sessionFile: 'missing' })).verdict).toBe('waiting');
  });

  test.each<[string, number | 'unknown']>([
    ['unknown', 'unknown'],
    ['NaN', Number.NaN],
    ['infinite', Number.POSITIVE_INFINITY],
    ['negative', -5],
    ['in seconds instead of milliseconds', NOW / 1000],
    ['years away', NOW + 400 * DAY],
  ])('ends 5 min after the refusal if the reset time is %s', (_, resetAt) => {
    expect(look(refused(resetAt)).lookAgainAt).toBe(ago(MINUTE) + 5 * MINUTE + JITTER);
  });

  test('ends 5 min after it began if the provider sent no message', () => {
    for (const rateLimit of ['none', 'unavailable'] as const) {
      expect(look(refused('unknown', { rateLimit })).lookAgainAt).toBe(ago(MINUTE) + 5 * MINUTE + JITTER);
    }
  });

  test('does not last forever if no time is readable', () => {
    const rateLimit = { seenAt: Number.NaN, resetAt: 'unknown' } as const;
    expect(look(refused('unknown', { rateLimit, stateSince: Number.NaN })).next).toBe('resume_after_quota');
  });

  test('is checked daily if the reset is next week', () => {
    expect(look(refused(NOW + 7 * DAY)).lookAgainAt).toBe(NOW + DAY);
  });

  test('ends at different but reproducible times for workers with the same reset time', () => {
    const jitters = new Set(
      Array.from({ length: 200 }, (_, n) => computeJitter(`eng-${n}-implement`, 1, 15 * SECOND)),
    );
    expect(jitters.size).toBeGreaterThan(150);
    for (const jitter of jitters) {
      expect(jitter).toBeGreaterThanOrEqual(0);
      expect(jitter).toBeLessThan(15 * SECOND);
    }
    expect(computeJitter('eng-21-implement', 1, 15 * SECOND)).toBe(JITTER);
  });
});

describe("a provider's refusal that is not recorded as a wait yet", () => {
  const hit = (change: Partial<HealthEvidence>) =>
    look(
      worker({
        rateLimit: { seenAt: ago(MINUTE), resetAt: NOW + HOUR },
        agent: { kind: 'error', at: ago(MINUTE) },
        ...change,
      }),
    );

  test('is recorded before anything else, even if the agent exited because of it', () => {
    expect(hit({})).toMatchObject({ verdict: 'waiting', next: 'hold_for_quota' });
    expect(hit({ process: GONE })).toMatchObject({ verdict: 'waiting', next: 'hold_for_quota' });
    expect(hit({ agent: { kind: 'turn_ended', at: ago(SECOND) } }).next).toBe('hold_for_quota');
    expect(hit({ agent: { kind: 'none' }, state: 'spawned' }).next).toBe('hold_for_quota');
  });

  test('is recorded even if its reset time has passed, so that the wake-up happens once', () => {
    expect(hit({ rateLimit: { seenAt: ago(MINUTE), resetAt: ago(30 * SECOND) } }).next).toBe(
      'hold_for_quota',
    );
  });

  test('is considered over if the agent has worked since', () => {
    expect(hit({ agent: { kind: 'text', at: ago(SECOND) } })).toMatchObject({ verdict: 'healthy' });
    expect(hit({ agent: 'unavailable', sessionFile: { at: ago(SECOND) } })).toMatchObject({
      verdict: 'healthy',
    });
  });

  test('is considered over if the attempt has been woken since', () => {
    expect(hit({ stateSince: ago(10 * SECOND) })).toMatchObject({ verdict: 'healthy' });
  });

  test('no longer hides silence once it is over', () => {
    expect(
      look(
        silentFor(HOUR, { rateLimit: { seenAt: ago(2 * HOUR), resetAt: ago(HOUR) }, stateSince: ago(HOUR) }),
      ).next,
    ).toBe('flag');
  });
});
