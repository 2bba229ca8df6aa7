import { describe, expect, test } from 'vitest';
import { type LocalSituation, resolveLocalSituation } from '../../../src/core/health/condition.ts';
import type { HealthEvidence } from '../../../src/core/health/evidence.ts';
import type { HealthStep, HealthVerdict } from '../../../src/core/health/judgement.ts';
import {
  ALIVE,
  ago,
  ENDING,
  examined,
  flagged,
  GONE,
  look,
  MINUTE,
  SECOND,
  worker,
} from './support/world.ts';

type Seen = 'yes' | 'no' | 'unavailable';
type Session = 'missing' | 'fresh' | 'stale' | 'unavailable';

describe('each of the eight rows of the contract', () => {
  test.each<[Seen, Seen, Session, LocalSituation]>([
    ['no', 'no', 'missing', 'never_started'],
    ['no', 'yes', 'missing', 'misplaced'],
    ['no', 'yes', 'fresh', 'misplaced'],
    ['no', 'yes', 'stale', 'misplaced'],
    ['yes', 'no', 'missing', 'died_early'],
    ['yes', 'no', 'fresh', 'exited'],
    ['yes', 'no', 'stale', 'exited'],
    ['yes', 'yes', 'missing', 'just_started'],
    ['yes', 'yes', 'fresh', 'running'],
    ['yes', 'yes', 'stale', 'stale'],
    ['no', 'no', 'fresh', 'impossible'],
    ['no', 'no', 'stale', 'impossible'],
  ])('workspace %s, process %s and session file %s mean %s', (workspace, process, session, meaning) => {
    expect(resolveLocalSituation(workspace, process, session)).toBe(meaning);
  });
});

describe('each combination with an unreadable fact', () => {
  test.each<[Seen, Seen, Session, LocalSituation]>([
    ['no', 'no', 'unavailable', 'open'],
    ['no', 'yes', 'unavailable', 'misplaced'],
    ['no', 'unavailable', 'missing', 'open'],
    ['no', 'unavailable', 'fresh', 'open'],
    ['no', 'unavailable', 'stale', 'open'],
    ['no', 'unavailable', 'unavailable', 'open'],
    ['yes', 'no', 'unavailable', 'exited'],
    ['yes', 'yes', 'unavailable', 'open'],
    ['yes', 'unavailable', 'missing', 'open'],
    ['yes', 'unavailable', 'fresh', 'open'],
    ['yes', 'unavailable', 'stale', 'open'],
    ['yes', 'unavailable', 'unavailable', 'open'],
    ['unavailable', 'no', 'missing', 'open'],
    ['unavailable', 'no', 'fresh', 'open'],
    ['unavailable', 'no', 'stale', 'open'],
    ['unavailable', 'no', 'unavailable', 'open'],
    ['unavailable', 'yes', 'missing', 'open'],
    ['unavailable', 'yes', 'fresh', 'open'],
    ['unavailable', 'yes', 'stale', 'open'],
    ['unavailable', 'yes', 'unavailable', 'open'],
    ['unavailable', 'unavailable', 'missing', 'open'],
    ['unavailable', 'unavailable', 'fresh', 'open'],
    ['unavailable', 'unavailable', 'stale', 'open'],
    ['unavailable', 'unavailable', 'unavailable', 'open'],
  ])('workspace %s, process %s and session file %s mean %s', (workspace, process, session, meaning) => {
    expect(resolveLocalSituation(workspace, process, session)).toBe(meaning);
  });
});

describe('the judgement of each row after all three steps', () => {
  const stale = { at: ago(20 * MINUTE) };
  const silent = {
    agent: { kind: 'text', at: ago(20 * MINUTE) },
  } as const;
  const steps = { suspicion: flagged(ago(5 * MINUTE), examined(ago(4 * MINUTE))) };
  const rows: [string, Partial<HealthEvidence>, HealthVerdict, HealthStep][] = [
    [
      'never started: dispatch',
      { workspace: 'no', process: GONE, sessionFile: 'missing', ...silent, ...steps },
      'never_started',
      'dispatch',
    ],
    [
      'without a workspace: stop and report',
      { workspace: 'no', process: ALIVE, ...steps },
      'misplaced',
      'stop_and_report',
    ],
    [
      'exited before it wrote anything: crash',
      { process: GONE, sessionFile: 'missing', ...silent, ...steps },
      'crashed',
      'confirm_crash',
    ],
    [
      'exited without a report: crash',
      { process: GONE, sessionFile: stale, ...silent, ...steps },
      'crashed',
      'confirm_crash',
    ],
    [
      'exited with a report: lost message',
      { process: GONE, sessionFile: stale, report: { where: 'outbox', since: ago(6 * MINUTE) }, ...steps },
      'lost_message',
      'recover_report',
    ],
    [
      'just started: wait',
      {
        state: 'spawned',
        spawnedAt: ago(MINUTE),
        stateSince: ago(MINUTE),
        agent: { kind: 'none' },
        sessionFile: 'missing',
        output: 'none',
      },
      'starting',
      'leave_alone',
    ],
    ['running: leave alone', {}, 'healthy', 'leave_alone'],
    ['stale: suspicious', { sessionFile: stale, ...silent }, 'suspicious', 'flag'],
    [
      'impossible: report as corruption',
      { workspace: 'no', process: GONE, sessionFile: stale, ...silent, ...steps },
      'corrupt',
      'report_corruption',
    ],
  ];
  test.each(rows)('%s', (_, change, verdict, next) => {
    expect(look(worker(change))).toMatchObject({ verdict, next });
  });
});

test('a worker without a workspace is checked twice before it is stopped, however busy it is', () => {
  const busy = { workspace: 'no', agent: { kind: 'text', at: ago(1) } } as const;
  expect(look(worker(busy)).next).toBe('flag');
  expect(look(worker({ ...busy, suspicion: flagged(ago(SECOND)) })).next).toBe('examine');
  const justLooked = flagged(ago(4 * SECOND), examined(ago(3 * SECOND)));
  expect(look(worker({ ...busy, suspicion: justLooked })).next).toBe('leave_alone');
  const looked = flagged(ago(7 * SECOND), examined(ago(6 * SECOND)));
  expect(look(worker({ ...busy, suspicion: looked })).next).toBe('stop_and_report');
});

test('a worker without a workspace is stopped even if it answered its probe', () => {
  const answered = flagged(ago(MINUTE), { state: 'answered', at: ago(30 * SECOND) });
  expect(look(worker({ workspace: 'no', suspicion: answered })).next).toBe('stop_and_report');
});

test('an unreadable workspace does not cause a stop', () => {
  for (const process of [ALIVE, GONE]) {
    const judgement = look(
      worker({
        workspace: 'unavailable',
        process,
        suspicion: flagged(ago(MINUTE), examined(ago(50 * SECOND))),
      }),
    );
    expect(ENDING.has(judgement.next)).toBe(false);
  }
});
