import { describe, expect, test } from 'vitest';
import type { HealthEvidence } from '../../../src/health/evidence.ts';
import type { HealthLimits } from '../../../src/health/limits.ts';
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
    'by %i ms before the facts confirms no crash',
    (back) => {
      for (const evidence of [DOOMED, HUNG]) {
        const newest = evidence === DOOMED ? ago(HOUR) : ago(HOUR / 2);
        expect(ENDING.has(look(evidence, newest - back).next)).toBe(false);
      }
    },
  );

  test('says so, and judges as usual once it has passed the facts', () => {
    const back = look(DOOMED, ago(2 * HOUR));
    expect(back).toMatchObject({ verdict: 'unknown', next: 'leave_alone' });
    expect(back.why).toContain('the clock has jumped');
    expect(look(DOOMED).next).toBe('confirm_crash');
  });

  test('a time a few seconds ahead is another host’s clock: it is read as just now', () => {
    expect(look(worker({ sessionFile: { at: NOW + 3 * SECOND } }))).toMatchObject({ verdict: 'healthy' });
  });

  test('even a millisecond ahead withholds a kill', () => {
    const judgement = look({ ...DOOMED, personToldAt: NOW + 1 });
    expect(judgement).toMatchObject({ next: 'ask_person' });
    expect(judgement.why).toContain('the clock to pass');
  });
});

const weird = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1, NOW + 10 * 365 * DAY];

describe('numbers that cannot be true', () => {
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
  test.each(places)('in %s are reported as corruption and kill nobody', (_, change) => {
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
  ])('in %s kill nobody', (_, change) => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, -1]) {
      expect(look({ ...HUNG, ...change(value) })).toMatchObject({ verdict: 'corrupt' });
    }
  });

  test('a CPU time smaller than at the flag belongs to other processes and proves nothing', () => {
    expect(look({ ...HUNG, cpu: { usedMs: 10 } })).toMatchObject({ verdict: 'unknown', next: 'ask_person' });
  });

  test('corruption is told once a day, not nineteen times', () => {
    const corrupt = worker({ spawnedAt: Number.NaN, personToldAt: ago(MINUTE) });
    expect(look(corrupt)).toMatchObject({ verdict: 'corrupt', next: 'leave_alone', until: 'person' });
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'a clock that says %d judges nobody',
    (now) => {
      for (const base of [DOOMED, HUNG, worker()]) {
        const judgement = look(base, now);
        expect(judgement).toMatchObject({ verdict: 'unknown', next: 'leave_alone', until: 'event' });
        expect(judgement.lookAgainAt).toBeUndefined();
      }
    },
  );

  test('limits that cannot be true are the default ones', () => {
    for (const value of [Number.NaN, -1, Number.POSITIVE_INFINITY]) {
      const limits = Object.fromEntries(
        ['thinking', 'probeSilence', 'grace', 'inTool', 'cpuSign', 'secondLook'].map((name) => [name, value]),
      ) as Partial<HealthLimits>;
      expect(look(worker(), NOW, limits)).toEqual(look(worker()));
      expect(look(HUNG, NOW, limits)).toEqual(look(HUNG));
    }
  });
});

describe('the first minute of the daemon', () => {
  test('gives no verdict on anybody, and says when it will', () => {
    for (const base of [DOOMED, HUNG, worker(), silentFor(DAY)]) {
      const judgement = look({ ...base, watchingSince: ago(59 * SECOND) });
      expect(judgement).toMatchObject({ verdict: 'unknown', next: 'leave_alone', lookAgainAt: NOW + SECOND });
    }
  });

  test('ends after 60 s', () => {
    expect(look({ ...silentFor(DAY), watchingSince: ago(60 * SECOND) }).next).toBe('flag');
  });
});
