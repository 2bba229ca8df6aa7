import { describe, expect, test } from 'vitest';
import type { HealthEvidence } from '../../../src/core/health/evidence.ts';
import type { HealthStep } from '../../../src/core/health/judgement.ts';
import { course, dead, type World } from './support/course.ts';
import { DAY, GONE, HOUR, MINUTE, NOW, SECOND } from './support/world.ts';

const IDLE = { agent: { kind: 'turn_ended', at: NOW } } as const;
const GONE_NOW = { ...GONE, since: NOW };
const MUTE = {
  state: 'spawned',
  agent: { kind: 'none' },
  sessionFile: 'missing',
  output: 'none',
  spawnedAt: NOW,
  stateSince: NOW,
} as const;

describe('a dead worker is detected within a time limit if it was', () => {
  test.each<[string, Partial<HealthEvidence>, HealthStep, number]>([
    ['killed', { process: GONE_NOW }, 'confirm_crash', 10 * SECOND],
    ['killed before it wrote a session', { ...MUTE, process: GONE_NOW }, 'confirm_crash', 10 * SECOND],
    [
      'killed, and its pid was reused',
      { process: { state: 'alive', identity: 'differs' } },
      'confirm_crash',
      10 * SECOND,
    ],
    [
      'killed while most sources were unreadable',
      {
        process: GONE_NOW,
        agent: 'unavailable',
        cpu: 'unavailable',
        sessionFile: 'unavailable',
        children: 'unavailable',
      },
      'confirm_crash',
      10 * SECOND,
    ],
    [
      'never spawned, without a workspace',
      { ...MUTE, process: { state: 'never_seen' }, workspace: 'no' },
      'dispatch',
      310 * SECOND,
    ],
    [
      'never spawned into its workspace',
      { ...MUTE, process: { state: 'never_seen' } },
      'confirm_crash',
      310 * SECOND,
    ],
    [
      'woken from a wait without a new process',
      { process: { ...GONE_NOW, since: NOW - HOUR }, stateSince: NOW },
      'confirm_crash',
      310 * SECOND,
    ],
    ['hung at startup', MUTE, 'replace_once', 425 * SECOND],
    ['hung while thinking', {}, 'confirm_crash', 725 * SECOND],
    ['hung in a tool', { tool: { since: NOW } }, 'confirm_crash', 2 * HOUR + 125 * SECOND],
    ['stopped without having reported', IDLE, 'confirm_crash', 125 * SECOND],
    [
      'gone with a report in the outbox',
      { process: GONE_NOW, report: { where: 'outbox', since: NOW } },
      'recover_report',
      0,
    ],
    ['running without its workspace', { workspace: 'no' }, 'stop_and_report', 10 * SECOND],
    [
      'gone together with its workspace, but its session file remains',
      { process: GONE_NOW, workspace: 'no' },
      'report_corruption',
      10 * SECOND,
    ],
  ])('%s', (_, change, step, boundMs) => {
    const { last, tookMs, steps } = course(dead(change), DAY);
    expect(last.next, steps.join(' ')).toBe(step);
    expect(tookMs).toBeLessThanOrEqual(boundMs);
  });

  test('idle and unable to receive a question (detected by inspection, after the hard limit)', () => {
    const world = {
      ...dead(IDLE),
      probe: (how: 'ask' | 'examine') => (how === 'ask' ? 'fails' : 'runs'),
    } as const;
    const { last, tookMs } = course(world, DAY);
    expect(last.next).toBe('confirm_crash');
    expect(tookMs).toBeGreaterThanOrEqual(30 * MINUTE);
    expect(tookMs).toBeLessThanOrEqual(31 * MINUTE);
  });

  test('killed while the first probes could not run', () => {
    const world = {
      ...dead({ process: GONE_NOW }),
      probe: (_: unknown, now: number) => (now < NOW + MINUTE ? 'fails' : 'runs'),
    } as const;
    const { last, tookMs } = course(world, DAY);
    expect(last.next).toBe('confirm_crash');
    expect(tookMs).toBeLessThanOrEqual(2 * MINUTE);
  });

  test('killed while one of every three reads of the process list fails', () => {
    let looks = 0;
    const seen = () => {
      looks += 1;
      return { ...dead({}).seen(NOW), process: looks % 3 === 0 ? ('unavailable' as const) : GONE_NOW };
    };
    const { last, tookMs } = course({ seen }, DAY);
    expect(last.next).toBe('confirm_crash');
    expect(tookMs).toBeLessThanOrEqual(3 * MINUTE);
  });

  test('hung while its CPU time becomes readable only after the flag', () => {
    const seen = (now: number) => ({
      ...dead({}).seen(now),
      cpu: now < NOW + 13 * MINUTE ? ('unavailable' as const) : { usedMs: 5_000 },
    });
    const { last, tookMs } = course({ seen }, DAY);
    expect(last.next).toBe('confirm_crash');
    expect(tookMs).toBeLessThanOrEqual(17 * MINUTE);
  });

  test('killed just before the daemon started', () => {
    const { last, tookMs } = course(dead({ process: GONE_NOW, watchingSince: NOW }), DAY);
    expect(last.next).toBe('confirm_crash');
    expect(tookMs).toBeLessThanOrEqual(70 * SECOND);
  });
});

describe('an undecidable case goes to a person within a time limit', () => {
  test.each<[string, Partial<HealthEvidence>, number]>([
    ['process list unreadable', { process: 'unavailable' }, 45 * MINUTE],
    ['process list unreadable, agent idle', { process: 'unavailable', ...IDLE }, 45 * MINUTE],
    ['CPU unreadable', { cpu: 'unavailable' }, 45 * MINUTE],
    ['report unreadable', { process: GONE_NOW, report: 'unavailable' }, 45 * MINUTE],
    ['workspace unreadable', { process: GONE_NOW, workspace: 'unavailable' }, 45 * MINUTE],
    [
      'everything unreadable',
      {
        process: 'unavailable',
        agent: 'unavailable',
        tool: 'unavailable',
        cpu: 'unavailable',
        children: 'unavailable',
        sessionFile: 'unavailable',
        report: 'unavailable',
        checkpoint: 'unavailable',
        rateLimit: 'unavailable',
        output: 'unavailable',
        workspace: 'unavailable',
      },
      3 * HOUR,
    ],
  ])('%s', (_, change, boundMs) => {
    const { last, tookMs, steps } = course(dead(change), DAY);
    expect(last, steps.join(' ')).toMatchObject({ next: 'ask_person', until: 'person' });
    expect(tookMs).toBeLessThanOrEqual(boundMs);
  });

  test('a worker that answers every question but never reports', () => {
    const { steps, last } = course({ ...dead(IDLE), probe: () => 'answers' }, DAY);
    expect(last.next).toBe('ask_person');
    expect(steps.filter((step) => step === 'probe_ask')).toHaveLength(2);
  });

  test('a silent agent whose process keeps starting children', () => {
    const world: World = {
      seen: (now) => ({ ...dead({}).seen(now), children: { count: 1, newestAt: now } }),
    };
    const { last, tookMs } = course(world, DAY);
    expect(last.next).toBe('ask_person');
    expect(tookMs).toBeLessThanOrEqual(45 * MINUTE);
  });
});
