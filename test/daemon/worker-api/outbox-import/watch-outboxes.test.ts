import {
  type FSWatcher,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { computeSessionId, readIssueId, toWorkerId } from '../../../../src/core/model/ids.ts';
import { ActiveProblems } from '../../../../src/daemon/context/active-problems.ts';
import { openLedger } from '../../../../src/daemon/context/journal-ledger.ts';
import type { Ledger } from '../../../../src/daemon/context/ledger.ts';
import { watchOutboxes } from '../../../../src/daemon/worker-api/outbox-import/watch-outboxes.ts';
import { openSqliteJournal } from '../../../../src/journal/sqlite/sqlite-journal.ts';
import { systemClock } from '../../../../src/lib/async/system-clock.ts';
import { keepInOutbox } from '../../../../src/worker-client/outbox.ts';
import { eventually } from '../../../ports/forge/eventually.ts';

let state: string;
let ledger: Ledger;
let problems: ActiveProblems;
let logged: string[];
let hints: string[];
let stop: () => void;
beforeEach(async () => {
  state = mkdtempSync(join(tmpdir(), 'legion-outbox-'));
  const journal = await openSqliteJournal(join(state, 'journal.db'));
  ledger = await openLedger(journal, systemClock, 'test', { onSnapshotFailure: () => undefined });
  logged = [];
  problems = new ActiveProblems(systemClock, ({ code }) => logged.push(code));
  hints = [];
  stop = () => undefined;
});
afterEach(async () => {
  stop();
  await ledger.close();
  rmSync(state, { recursive: true });
});

const folders = () => ({
  state,
  socket: join(state, 'daemon.sock'),
  outbox: (worker: string, attempt: number) => join(state, 'outbox', worker, String(attempt)),
});
const world = () => ({ folders: folders(), ledger, problems: problems });
const note = (outbox: string) => void hints.push(outbox);

function workerOf(number: number) {
  const issue = readIssueId(`A-${number}`);
  if (!issue.ok) throw new Error(issue.fault.message);
  const who = { issue: issue.value, mode: 'plan', attempt: 1 } as const;
  return { who, outbox: folders().outbox(toWorkerId(who.issue, who.mode), 1) };
}

async function dispatch(number: number): Promise<string> {
  const { who, outbox } = workerOf(number);
  const session = computeSessionId('demo', who.issue, who.mode);
  await ledger.append([{ type: 'attempt.dispatched', ...who, session, version: 0, host: 'here' }]);
  return outbox;
}

const end = (number: number) =>
  ledger.append([{ type: 'attempt.crashed', ...workerOf(number).who, evidence: ['gone'] }]);

const keep = (outbox: string) =>
  keepInOutbox(outbox, {
    id: '6f0d3a52-7a55-4c1e-9d5e-0d6f0b1f2a33',
    verb: 'done',
    input: { summary: 'done' },
    at: 1,
    worker: 'a-1-plan',
    attempt: 1,
    token: 'token',
  });

function countWatches(): number {
  let count = 0;
  for (const file of readdirSync('/proc/self/fdinfo')) {
    try {
      count += readFileSync(`/proc/self/fdinfo/${file}`, 'utf8').match(/^inotify wd:/gm)?.length ?? 0;
    } catch {
      // The list includes the descriptor of the listing itself, which is already closed.
    }
  }
  return count;
}

const isHinted = (outbox: string) => (hints.includes(outbox) ? true : undefined);

test('sends a hint about a message of a live attempt, and none after the attempt was stopped', async () => {
  const before = await dispatch(1);
  stop = watchOutboxes(world(), note);
  const after = await dispatch(2);
  for (const outbox of [before, after]) await eventually('the watch to begin', () => isHinted(outbox));
  for (const outbox of [before, after]) {
    hints = [];
    await keep(outbox);
    await eventually('a hint', () => isHinted(outbox));
  }
  stop();
  hints = [];
  await keep(before);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(hints).toEqual([]);
});

test('keeps one watch per live attempt, however many attempts have ended', async () => {
  for (let number = 1; number <= 20; number += 1) {
    await keep(await dispatch(number));
    await end(number);
  }
  const before = countWatches();
  stop = watchOutboxes(world(), note);
  for (let number = 21; number <= 40; number += 1) {
    const outbox = await dispatch(number);
    await eventually('the watch to begin', () => isHinted(outbox));
    hints = [];
    await end(number);
    expect(hints, 'one read after its end').toEqual([outbox]);
  }
  const live = await dispatch(41);
  await eventually('the watch to begin', () => isHinted(live));
  expect(countWatches() - before).toBe(1);
});

test('polls outboxes while no file watches are available, and reports the lack of watches once', async () => {
  let isUsedUp = true;
  const watchFolder = (folder: string, onChange: () => void): FSWatcher => {
    if (isUsedUp) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    return watch(folder, { persistent: false }, onChange);
  };
  stop = watchOutboxes(world(), note, watchFolder);
  const outbox = await dispatch(1);
  await dispatch(2);
  await eventually('a hint without a watch', () => isHinted(outbox));
  expect(problems.list()).toMatchObject([
    { code: 'speech.outbox_unwatched', message: expect.stringContaining('ENOSPC') },
  ]);
  expect(logged).toHaveLength(1);
  isUsedUp = false;
  await eventually('a watch', () => (problems.list().length === 0 ? true : undefined));
  hints = [];
  await keep(outbox);
  await eventually('a hint from the watch', () => isHinted(outbox));
});

test('reports an outbox whose directory cannot be created, and continues', async () => {
  mkdirSync(join(state, 'outbox'));
  writeFileSync(join(state, 'outbox', 'a-1-plan'), 'a file in place of the directory');
  stop = watchOutboxes(world(), note);
  await dispatch(1);
  await eventually('the trouble', () => problems.list()[0]);
  await end(1);
  expect(problems.list()).toEqual([]);
});
