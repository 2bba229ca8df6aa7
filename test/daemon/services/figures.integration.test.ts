import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Event } from '../../../src/core/model/event.ts';
import { LegionError } from '../../../src/core/model/fault.ts';
import { healthSchema } from '../../../src/protocol/status.ts';
import { type DeskLegion, deskLegion } from './legion.ts';

let legion: DeskLegion;

beforeAll(async () => {
  legion = await deskLegion();
});
afterAll(() => legion.close());

test('`health` reports the leader, the workers and active problems', async () => {
  await legion.dispatched(await legion.issue('Todo'), 'plan');
  const about = await legion.dispatched(await legion.issue('Todo'), 'plan');
  await legion.append({ type: 'attempt.waiting', ...about, wait: 1, for: 'quota' });
  const { desks, world: context } = legion;
  const health = desks.health();
  expect(healthSchema.parse(health)).toEqual(health);
  expect(health).toMatchObject({
    ok: true,
    legion: 'demo',
    version: '1.2.3',
    pid: 4711,
    startedAt: 5,
    epoch: 1,
    journalVersion: context.ledger.version,
    backend: 'local',
    forge: 'local',
    host: 'local',
    workers: { live: 1, waiting: 1, limit: 3 },
    starts: { allowed: true },
    autoAdvance: true,
    troubles: [],
  });
  context.problems.report('board', new LegionError('tracker.busy', 'held by another'));
  expect(desks.health()).toMatchObject({
    ok: false,
    troubles: [{ code: 'tracker.busy', message: 'held by another' }],
  });
  context.problems.resolve('board');
});

test('events can be read starting from any version, and a listener is called for each append until it unsubscribes', async () => {
  const { events } = legion.desks;
  const before = events.version;
  let heard = 0;
  const stop = events.subscribe(() => {
    heard += 1;
  });
  const issue = await legion.issue('Todo');
  await legion.dispatched(issue, 'plan');
  await legion.finished(issue, 'plan');
  stop();
  await legion.dispatched(issue, 'architect');
  expect(heard).toBe(2);
  const read: Event[] = [];
  for await (const batch of events.read(before)) read.push(...batch);
  expect(read.map(({ seq, type }) => [seq, type])).toEqual([
    [before + 1, 'attempt.dispatched'],
    [before + 2, 'attempt.active'],
    [before + 3, 'attempt.reported'],
    [before + 4, 'attempt.report_accepted'],
    [before + 5, 'attempt.dispatched'],
  ]);
  expect(events.version).toBe(before + 5);
});

test('metrics reflect the state at the moment of the scrape', async () => {
  const issue = await legion.issue('Testing', ['needs-approval']);
  await legion.dispatched(issue, 'test');
  await legion.crashed(issue, 'test');
  await legion.append(
    { type: 'kill.performed', issue, mode: 'test', attempt: 1, kill: 1, evidence: [] },
    { type: 'kill.judged', issue, mode: 'test', attempt: 1, kill: 1, right: true, why: 'silent' },
  );
  await legion.control.preview(issue);
  const figures = await legion.desks.metrics();
  expect(figures).toContain('legion_workers{mode="test",state="crashed"} 1\n');
  expect(figures).toContain('legion_failed_lives{mode="test"} 1\n');
  expect(figures).toContain('legion_issues{status="Testing"} 1\n');
  expect(figures).toContain('legion_inbox_items{kind="approval"} 1\n');
  expect(figures).toContain('legion_kills{verdict="right"} 1\n');
  expect(figures).toContain(`legion_journal_version ${legion.world.ledger.version}\n`);
  expect(figures).toContain('legion_starts_paused 0\n');
  expect(figures).toMatch(/^legion_events_total\{type="attempt.crashed"\} 1$/m);
  expect(figures).toMatch(/^process_resident_memory_bytes \d{7,}$/m);
  expect(figures).toMatch(/^process_cpu_seconds_total \d/m);
});

test('metrics drop ended workers and count nothing twice', async () => {
  const issue = await legion.issue('Testing');
  await legion.dispatched(issue, 'review');
  expect(await legion.desks.metrics()).toContain('legion_workers{mode="review",state="spawned"} 1\n');
  await legion.finished(issue, 'review');
  const [first, second] = [await legion.desks.metrics(), await legion.desks.metrics()];
  expect(first).not.toContain('legion_workers{mode="review",state="spawned"}');
  for (const figures of [first, second]) {
    expect(figures).toContain('legion_phase_seconds_count{mode="review"} 1\n');
    expect(figures).toContain('legion_phase_seconds_bucket{le="14400",mode="review"} 1\n');
  }
});
