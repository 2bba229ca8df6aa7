import { describe, expect, test } from 'vitest';
import type { HealthEvidence } from '../../../src/health/evidence.ts';
import { jitterOf } from '../../../src/health/jitter.ts';
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

const JITTER = jitterOf('eng-21-implement', 1, 15 * SECOND);

test('a refusal that was heard after the clock was set back is one all the same', () => {
  const seenAt = ago(SECOND);
  const given = { stateSince: NOW + HOUR, rateLimit: { seenAt, resetAt: NOW + MINUTE } } as const;
  expect(look(worker({ state: 'executing', process: GONE, ...given })).next).toBe('hold_for_quota');
});

describe('waiting for a person', () => {
  const waiting = (ms: number, change: Partial<HealthEvidence> = {}) =>
    look(worker({ state: 'waiting-user', stateSince: ago(ms), spawnedAt: ago(ms), ...change }));

  test('is left alone for a day, then the person is reminded', () => {
    expect(waiting(DAY - 1)).toMatchObject({
      verdict: 'waiting',
      next: 'leave_alone',
      until: 'person',
      lookAgainAt: NOW + SECOND,
    });
    expect(waiting(DAY)).toMatchObject({ verdict: 'waiting', next: 'remind', until: 'person' });
  });

  test('reminds daily, not at every look', () => {
    expect(waiting(5 * DAY, { personToldAt: ago(DAY - 1) }).next).toBe('leave_alone');
    expect(waiting(5 * DAY, { personToldAt: ago(DAY) }).next).toBe('remind');
  });

  test('is not disturbed by a dead process, a missing workspace or a silent session', () => {
    expect(waiting(HOUR, { process: GONE, workspace: 'no', sessionFile: 'missing' }).next).toBe(
      'leave_alone',
    );
  });

  test('is the same in the first minute of the daemon, and with an unreadable clock', () => {
    expect(waiting(HOUR, { watchingSince: NOW }).verdict).toBe('waiting');
    expect(waiting(HOUR, { spawnedAt: Number.NaN }).verdict).toBe('waiting');
  });
});

describe('waiting for quota', () => {
  test('resumes at the provider’s reset plus jitter, not before and not hours later', () => {
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

  test('is no crash, however dead everything looks', () => {
    expect(look(refused(NOW + 5 * DAY, { workspace: 'no', sessionFile: 'missing' })).verdict).toBe('waiting');
  });

  test.each<[string, number | 'unknown']>([
    ['unknown', 'unknown'],
    ['NaN', Number.NaN],
    ['infinite', Number.POSITIVE_INFINITY],
    ['negative', -5],
    ['in seconds instead of milliseconds', NOW / 1000],
    ['years away', NOW + 400 * DAY],
  ])('a reset time that is %s means 5 min after the refusal', (_, resetAt) => {
    expect(look(refused(resetAt)).lookAgainAt).toBe(ago(MINUTE) + 5 * MINUTE + JITTER);
  });

  test('without any message of the provider, 5 min after the wait began', () => {
    for (const rateLimit of ['none', 'unavailable'] as const) {
      expect(look(refused('unknown', { rateLimit })).lookAgainAt).toBe(ago(MINUTE) + 5 * MINUTE + JITTER);
    }
  });

  test('with no readable time at all it is resumed rather than kept for ever', () => {
    const rateLimit = { seenAt: Number.NaN, resetAt: 'unknown' } as const;
    expect(look(refused('unknown', { rateLimit, stateSince: Number.NaN })).next).toBe('resume_after_quota');
  });

  test('a reset next week is looked at daily', () => {
    expect(look(refused(NOW + 7 * DAY)).lookAgainAt).toBe(NOW + DAY);
  });

  test('workers that share a reset do not wake together, and each always at the same moment', () => {
    const jitters = new Set(
      Array.from({ length: 200 }, (_, n) => jitterOf(`eng-${n}-implement`, 1, 15 * SECOND)),
    );
    expect(jitters.size).toBeGreaterThan(150);
    for (const jitter of jitters) {
      expect(jitter).toBeGreaterThanOrEqual(0);
      expect(jitter).toBeLessThan(15 * SECOND);
    }
    expect(jitterOf('eng-21-implement', 1, 15 * SECOND)).toBe(JITTER);
  });
});

describe('a refusal that is not recorded as a wait yet', () => {
  const hit = (change: Partial<HealthEvidence>) =>
    look(
      worker({
        rateLimit: { seenAt: ago(MINUTE), resetAt: NOW + HOUR },
        agent: { kind: 'error', at: ago(MINUTE) },
        ...change,
      }),
    );

  test('is recorded first, also when the agent exited because of it', () => {
    expect(hit({})).toMatchObject({ verdict: 'waiting', next: 'hold_for_quota' });
    expect(hit({ process: GONE })).toMatchObject({ verdict: 'waiting', next: 'hold_for_quota' });
    expect(hit({ agent: { kind: 'turn_ended', at: ago(SECOND) } }).next).toBe('hold_for_quota');
    expect(hit({ agent: { kind: 'none' }, state: 'spawned' }).next).toBe('hold_for_quota');
  });

  test('is recorded even when its reset has passed, so that the wake-up happens once', () => {
    expect(hit({ rateLimit: { seenAt: ago(MINUTE), resetAt: ago(30 * SECOND) } }).next).toBe(
      'hold_for_quota',
    );
  });

  test('is over when the agent worked on afterwards', () => {
    expect(hit({ agent: { kind: 'text', at: ago(SECOND) } })).toMatchObject({ verdict: 'healthy' });
    expect(hit({ agent: 'unavailable', sessionFile: { at: ago(SECOND) } })).toMatchObject({
      verdict: 'healthy',
    });
  });

  test('is over when the attempt was woken since', () => {
    expect(hit({ stateSince: ago(10 * SECOND) })).toMatchObject({ verdict: 'healthy' });
  });

  test('does not hide silence once it is over', () => {
    expect(
      look(
        silentFor(HOUR, { rateLimit: { seenAt: ago(2 * HOUR), resetAt: ago(HOUR) }, stateSince: ago(HOUR) }),
      ).next,
    ).toBe('flag');
  });
});
