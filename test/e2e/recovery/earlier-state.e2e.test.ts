/**
 * Opens the state directory of an earlier version, a copy of which is in `earlier-state`, and
 * continues its work.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Event } from '../../../src/core/model/event.ts';
import { openLedger } from '../../../src/daemon/context/journal-ledger.ts';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { systemClock } from '../../../src/lib/async/system-clock.ts';
import type { IssueView } from '../../../src/protocol/board.ts';
import type { IssueDetail } from '../../../src/protocol/endpoints/issues.ts';
import type { InboxItem, IssueExplanation } from '../../../src/protocol/operator.ts';
import type { HealthView } from '../../../src/protocol/status.ts';
import type { WorkerView } from '../../../src/protocol/workers.ts';
import { git } from '../../ports/forge/git.ts';
import { until } from '../../support/running-daemon.ts';
import { type RunningProcess, startDaemonProcess } from '../../support/running-process.ts';
import { findDoubleDispatches } from '../support/attempts.ts';
import {
  type EarlierLegion,
  restoreEarlierState,
  type ShownIssue,
  type ShownItem,
  type ShownWorker,
} from '../support/earlier-state.ts';

/** Time for four issues to go through their phases, with a large margin for a busy machine. */
const MAX_WAIT_MS = 120_000;
const MAX_TEST_MS = 300_000;

/** With this setting, the daemon reads everything and imports reports, but takes no next step. */
const HANDS_OFF = 'auto_advance: false\n';

let legion: EarlierLegion;
let daemon: RunningProcess | undefined;
beforeEach(async () => {
  legion = await restoreEarlierState();
});
afterEach(async () => {
  await daemon?.stop();
  daemon = undefined;
  await legion.dispose();
});

test(
  'a daemon with the state directory of an earlier version shows the same state, imports the waiting report, and continues without repeating anything',
  async () => {
    const { shown, repository } = legion;
    const recorded = eventsInFile();
    legion.reconfigure(HANDS_OFF);
    daemon = await startDaemonProcess(legion);

    const { starts, troubles } = await daemon.get<HealthView>('/health');
    expect([starts.allowed, troubles]).toEqual([true, []]);
    expect((await daemon.events()).slice(0, recorded.length)).toEqual(recorded);
    await untilEvents(
      (events) =>
        isAccepted(events, 'DEMO-6') &&
        events.some((event) => event.type === 'attempt.crashed' && event.issue === 'DEMO-7'),
    );
    // Nothing has changed except the labels of the issue whose report was imported.
    const labels = ['chore', 'worker-done'];
    const withReport = shown.issues.map((issue) => (issue.id === 'DEMO-6' ? { ...issue, labels } : issue));
    await expect.poll(shownIssues).toEqual(withReport);
    expect(await shownInbox()).toEqual(shown.inbox);
    // The report ended one worker, and the process of the other is gone.
    const ended = new Map([
      ['demo-6-plan', { status: 'finished' }],
      ['demo-7-implement', { status: 'crashed', crashes: 1 }],
    ]);
    expect(await shownWorkers()).toEqual(
      shown.workers.filter(isUnfinished).map((worker) => ({ ...worker, ...ended.get(worker.id) })),
    );
    const { openQuestions } = await daemon.get<IssueExplanation>('/issues/DEMO-4/explain');
    expect(openQuestions).toMatchObject([{ question: 1, mode: 'plan', text: 'Red or blue?' }]);
    const { state } = await daemon.get<IssueExplanation>('/issues/DEMO-5/explain');
    expect(state.says).toContain('waits for the translator');
    const { waitingMessages } = await daemon.get<IssueExplanation>('/issues/DEMO-7/explain');
    expect(waitingMessages).toMatchObject([
      { message: 1, text: expect.stringContaining('Use plain words.') },
    ]);
    await daemon.stop();

    legion.reconfigure('');
    daemon = await startDaemonProcess(legion);
    await daemon.post('/issues/DEMO-4/answer', { text: 'Blue, like the sea.', by: 'Ada' });
    await daemon.post('/issues/DEMO-5/resume', { by: 'Ada' });
    const continued = ['DEMO-4', 'DEMO-5', 'DEMO-6', 'DEMO-7'];
    await until(
      shownIssues,
      (issues) => continued.every((id) => issues.find((issue) => issue.id === id)?.status === 'Done'),
      MAX_WAIT_MS,
    );

    const events = await daemon.events();
    const fresh = events.slice(recorded.length);
    expect(events.slice(0, recorded.length)).toEqual(recorded);
    expect(findDoubleDispatches(events)).toEqual([]);
    expect(repeated(events, 'intent.settled', ({ intent }) => intent)).toEqual([]);
    expect(repeated(events, 'merge.landed', ({ issue }) => issue)).toEqual([]);
    expect(
      repeated(events, 'attempt.reported', (event) =>
        JSON.stringify([event.issue, event.mode, event.attempt, event.report]),
      ),
    ).toEqual([]);
    // Workers that were waiting, had been stopped or were gone continue in their next attempt, with
    // the right session.
    expect(firstAttempts(fresh)).toMatchObject({
      'DEMO-4 plan': 2,
      'DEMO-4 implement': 1,
      'DEMO-5 test': 2,
      'DEMO-6 implement': 1,
      'DEMO-7 implement': 2,
    });
    expect(
      Object.keys(firstAttempts(fresh)).filter((worker) => !continued.includes(worker.split(' ')[0] ?? '')),
    ).toEqual([]);
    expect(fresh.filter(({ type }) => type === 'message.delivered')).toMatchObject([{ message: 1 }]);
    expect(await commentsOn('DEMO-6', 'Nearly there.')).toHaveLength(1);
    expect(await commentsOn('DEMO-4', 'Blue, like the sea.')).toHaveLength(1);
    const log = await git(repository, 'log', '--format=%s', 'main');
    for (const id of ['DEMO-1', 'DEMO-2', 'DEMO-10', ...continued])
      expect(
        log.split('\n').filter((line) => line.startsWith(`${id}:`)),
        log,
      ).toHaveLength(1);
    const isOther = ({ id }: ShownIssue) => !continued.includes(id);
    expect((await shownIssues()).filter(isOther)).toEqual(shown.issues.filter(isOther));
  },
  MAX_TEST_MS,
);

test('with the state directory of an earlier version, the snapshot and all events restore the same state', async () => {
  const path = join(legion.state, 'journal.db');
  const db = new DatabaseSync(path);
  expect(db.prepare('SELECT version FROM snapshots').all()).toHaveLength(1);
  const fold = async () => {
    const ledger = await openLedger(await openSqliteJournal(path), systemClock, 'today', {
      onSnapshotFailure: (error) => {
        throw error;
      },
    });
    const { issues, workers, intents, messages } = ledger.state;
    await ledger.close();
    return { issues, workers, intents, messages };
  };
  const fromSnapshot = await fold();
  db.exec('DELETE FROM snapshots');
  db.close();
  expect(await fold()).toEqual(fromSnapshot);
  expect(fromSnapshot.issues.size).toBe(13);
});

/** Reads the journal file without Legion's own code. */
function eventsInFile(): unknown[] {
  const db = new DatabaseSync(join(legion.state, 'journal.db'));
  const rows = db.prepare('SELECT seq, at, epoch, body FROM events ORDER BY seq').all();
  db.close();
  return rows.map(({ seq, at, epoch, body }) => ({ ...JSON.parse(String(body)), seq, at, epoch }));
}

function running(): RunningProcess {
  if (daemon === undefined) throw new Error('no daemon runs');
  return daemon;
}

function untilEvents(wanted: (events: readonly Event[]) => boolean): Promise<readonly Event[]> {
  return until(() => running().events(), wanted, MAX_WAIT_MS);
}

async function shownIssues(): Promise<ShownIssue[]> {
  const issues = await running().get<IssueView[]>('/issues');
  return issues.map(({ id, status, labels, blockedBy }) => ({ id, status, labels, blockedBy }));
}

async function shownInbox(): Promise<ShownItem[]> {
  const items = await running().get<InboxItem[]>('/inbox');
  return items.map(({ kind, issue, question, approves }) => ({
    kind,
    issue,
    ...(question !== undefined && { question }),
    ...(approves !== undefined && { approves }),
  }));
}

async function shownWorkers(): Promise<ShownWorker[]> {
  const workers = await running().get<WorkerView[]>('/workers');
  return workers
    .map(({ id, attempt, sessionId, status, crashes, spentUsd }) => ({
      ...{ id, attempt, sessionId, status, crashes, spentUsd },
    }))
    .filter(isUnfinished)
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}

/**
 * Returns whether the worker belongs to an unfinished issue. DEMO-2 is done, and the daemon prunes
 * its workers after two weeks.
 */
function isUnfinished({ id }: ShownWorker): boolean {
  return !id.startsWith('demo-2-');
}

function isAccepted(events: readonly Event[], issue: string): boolean {
  return events.some((event) => event.type === 'attempt.report_accepted' && event.issue === issue);
}

/** Returns keys that occur in more than one event of the type. */
function repeated<T extends Event['type']>(
  events: readonly Event[],
  type: T,
  keyOf: (event: Extract<Event, { type: T }>) => unknown,
): unknown[] {
  const isWanted = (event: Event): event is Extract<Event, { type: T }> => event.type === type;
  const keys = events.filter(isWanted).map(keyOf);
  return keys.filter((key, index) => keys.indexOf(key) !== index);
}

/** Returns the first attempt of each worker that was dispatched. */
function firstAttempts(events: readonly Event[]): Record<string, number> {
  const first: Record<string, number> = {};
  for (const event of events)
    if (event.type === 'attempt.dispatched') first[`${event.issue} ${event.mode}`] ??= event.attempt;
  return first;
}

async function commentsOn(issue: string, text: string): Promise<unknown[]> {
  const { comments } = await running().get<IssueDetail>(`/issues/${issue}`);
  return comments.filter((comment) => comment.text.includes(text));
}
