import { describe, expect, test } from 'vitest';
import type { HealthEvidence } from '../../../src/core/health/evidence.ts';
import type { HealthLimits } from '../../../src/core/health/limits.ts';
import {
  ago,
  DAY,
  ENDING,
  examined,
  flagged,
  GONE,
  HOUR,
  look,
  MINUTE,
  NOW,
  SECOND,
  silentFor,
  worker,
} from './support/world.ts';

const DOOMED = silentFor(HOUR, {
  process: { ...GONE, since: ago(HOUR) },
  suspicion: flagged(ago(HOUR), examined(ago(HOUR))),
});
const HUNG = silentFor(HOUR, { suspicion: flagged(ago(HOUR / 2), examined(ago(HOUR / 2))) });

describe('a clock that was set back', () => {
  test.each([1, SECOND, MINUTE, HOUR, DAY, 400 * DAY])(
    'does not confirm a crash if the clock is %i ms behind the newest evidence',
    (back) => {
      for (const evidence of [DOOMED, HUNG]) {
        const newest = evidence === DOOMED ? ago(HOUR) : ago(HOUR / 2);
        expect(ENDING.has(look(evidence, newest - back).next)).toBe(false);
      }
    },
  );

  test('is reported, and the attempt is judged as usual once the clock is later than the newest evidence again', () => {
    const back = look(DOOMED, ago(2 * HOUR));
    expect(back).toMatchObject({ verdict: 'unknown', next: 'leave_alone' });
    expect(back.why).toContain('the clock has jumped');
    expect(look(DOOMED).next).toBe('confirm_crash');
  });

  test('by a few seconds does not make a healthy worker suspicious, because the clocks of hosts may differ', () => {
    expect(look(worker({ sessionFile: { at: NOW + 3 * SECOND } }))).toMatchObject({ verdict: 'healthy' });
  });

  test('by only a millisecond still prevents a kill', () => {
    const judgement = look({ ...DOOMED, personToldAt: NOW + 1 });
    expect(judgement).toMatchObject({ next: 'ask_person' });
    expect(judgement.why).toContain('a clock that has passed');
  });
});

const weird = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1, NOW + 10 * 365 * DAY];

describe('invalid numbers', () => {
  const places: [string, (value: number) => Partial<HealthEvidence>][] = [
    ['spawnedAt', (value) => ({ spawnedAt: value })],
    ['stateSince', (value) => ({ stateSince: value })],
    ['watchingSince', (value) => ({ watchingSince: value })],
    ['process.since', (value) => ({ process: { ...GONE, since: value } })],
    ['agent.at', (value) => ({ agent: { kind: 'text', at: value } })],
    ['tool.since', (value) => ({ tool: { since: value } })],
    ['children.newestAt', (value) => ({ children: { count: 1, newestAt: value } })],
    ['sessionFile.at', (value) => ({ sessionFile: { at: value } })],
    ['checkpoint.at', (value) => ({ checkpoint: { at: value } })],
    ['personToldAt', (value) => ({ personToldAt: value })],
    ['suspicion.since', (value) => ({ suspicion: flagged(value, examined(ago(HOUR))) })],
    ['probe.at', (value) => ({ suspicion: flagged(ago(HOUR), examined(value)) })],
    ['clearedAt', (value) => ({ suspicion: { flagged: false, clearedAt: value } })],
  ];
  test.each(places)('in %s are reported as corruption and never cause a kill', (_, change) => {
    for (const value of weird) {
      for (const base of [DOOMED, HUNG]) {
        expect(look({ ...base, ...change(value) })).toMatchObject({
          verdict: 'corrupt',
          next: 'report_corruption',
          until: 'person',
        });
      }
    }
  });

  test.each<[string, (value: number) => Partial<HealthEvidence>]>([
    ['cpu.usedMs', (value) => ({ cpu: { usedMs: value } })],
    ['children.count', (value) => ({ children: { count: value, newestAt: 'none' } })],
    ['questionsAsked', (value) => ({ questionsAsked: value })],
  ])('in %s kill no worker', (_, change) => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, -1]) {
      expect(look({ ...HUNG, ...change(value) })).toMatchObject({ verdict: 'corrupt' });
    }
  });

  test('(a CPU time lower than when the flag was set) prevent a crash verdict', () => {
    expect(look({ ...HUNG, cpu: { usedMs: 10 } })).toMatchObject({ verdict: 'unknown', next: 'ask_person' });
  });

  test('are reported once a day, not on every check', () => {
    const corrupt = worker({ spawnedAt: Number.NaN, personToldAt: ago(MINUTE) });
    expect(look(corrupt)).toMatchObject({ verdict: 'corrupt', next: 'leave_alone', until: 'person' });
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'in the clock (%d) prevent any verdict',
    (now) => {
      for (const base of [DOOMED, HUNG, worker()]) {
        const judgement = look(base, now);
        expect(judgement).toMatchObject({ verdict: 'unknown', next: 'leave_alone', until: 'event' });
        expect(judgement.lookAgainAt).toBeUndefined();
      }
    },
  );

  test('in the limits are replaced by the defaults', () => {
    for (const value of [Number.NaN, -1, Number.POSITIVE_INFINITY]) {
      const limits = Object.fromEntries(
        ['thinking', 'probeSilence', 'grace', 'inTool', 'cpuSign', 'secondLook'].map((name) => [name, value]),
      ) as Partial<HealthLimits>;
      expect(look(worker(), NOW, limits)).toEqual(look(worker()));
      expect(look(HUNG, NOW, limits)).toEqual(look(HUNG));
    }
  });
});

describe('the first minute of monitoring', () => {
  test('allows no verdict except "unknown", but sets the time of the next check', () => {
    for (const base of [DOOMED, HUNG, worker(), silentFor(DAY)]) {
      const judgement = look({ ...base, watchingSince: ago(59 * SECOND) });
      expect(judgement).toMatchObject({ verdict: 'unknown', next: 'leave_alone', lookAgainAt: NOW + SECOND });
    }
  });

  test('ends after 60 s', () => {
    expect(look({ ...silentFor(DAY), watchingSince: ago(60 * SECOND) }).next).toBe('flag');
  });
});
