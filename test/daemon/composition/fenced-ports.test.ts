import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FencedForge } from '../../../src/daemon/composition/fenced-ports/fenced-forge.ts';
import { FencedHost } from '../../../src/daemon/composition/fenced-ports/fenced-host.ts';
import {
  FencedBoardEditor,
  FencedTracker,
} from '../../../src/daemon/composition/fenced-ports/fenced-tracker.ts';
import { FencedWorkspaces } from '../../../src/daemon/composition/fenced-ports/fenced-workspaces.ts';
import { openLedger } from '../../../src/daemon/context/journal-ledger.ts';
import type { Ledger } from '../../../src/daemon/context/ledger.ts';
import { openLocalBoard } from '../../../src/integrations/local/tracker/open-local-board.ts';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { systemClock } from '../../../src/lib/async/system-clock.ts';
import type { LocalBoard } from '../../../src/ports/board-editor.ts';
import type { Forge } from '../../../src/ports/forge.ts';
import type { Host } from '../../../src/ports/host.ts';
import type { Tracker } from '../../../src/ports/tracker.ts';
import type { Workspaces } from '../../../src/ports/workspace.ts';

let folder: string;
let opened: Ledger[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'legion-leader-only-'));
  opened = [];
});

afterEach(async () => {
  for (const ledger of opened) await ledger.close();
  rmSync(folder, { recursive: true });
});

test("rejects a replaced daemon's writes and gives the reason, but allows its reads", async () => {
  const board = await openLocalBoard(join(folder, 'board.db'), { prefix: 'L', now: systemClock.now });
  const first = await lead('first');
  const held = new FencedBoardEditor(board, first);
  const issue = await held.create('one', {
    title: 'Greet',
    body: 'It should greet.',
    status: 'Triage',
    labels: [],
    priority: 0,
    blockedBy: [],
  });
  const second = await lead('second');
  const change = { moveTo: 'Backlog', labels: { add: [], remove: [] } } as const;
  await expect(held.write(issue, change)).rejects.toMatchObject({ code: 'journal.fenced' });
  await expect(held.comment(issue, 'key', 'I was here.')).rejects.toMatchObject({ code: 'journal.fenced' });
  expect(first.fenced.aborted).toBe(true);
  const { signal } = new AbortController();
  expect(await held.read(issue, signal)).toMatchObject({ column: 'Triage' });
  await new FencedBoardEditor(board, second).write(issue, change);
  expect(await held.read(issue, signal)).toMatchObject({ column: 'Backlog' });
  expect(second.fenced.aborted).toBe(false);
  await board.dispose();
});

async function lead(name: string): Promise<Ledger> {
  const journal = await openSqliteJournal(join(folder, 'journal.db'));
  const ledger = await openLedger(journal, systemClock, name, { onSnapshotFailure: () => undefined });
  opened.push(ledger);
  return ledger;
}

/**
 * Says how the wrapper must treat each member of a port. `Record` makes a forgotten member a type
 * error.
 */
type Members<Port> = Readonly<Record<keyof Port, 'value' | 'passes' | 'confirms first'>>;

const TRACKER: Members<Tracker> = {
  kind: 'value',
  list: 'passes',
  read: 'passes',
  commentsSince: 'passes',
  mayDispatch: 'passes',
  posted: 'passes',
  missingColumns: 'passes',
  budget: 'passes',
  write: 'confirms first',
  comment: 'confirms first',
  putComment: 'confirms first',
  create: 'confirms first',
  close: 'confirms first',
  move: 'confirms first',
  attach: 'confirms first',
};

const BOARD: Members<LocalBoard> = {
  ...TRACKER,
  edit: 'confirms first',
  relabel: 'confirms first',
  say: 'confirms first',
  subscribe: 'passes',
  dispose: 'passes',
};

const FORGE: Members<Forge> = {
  kind: 'value',
  pullRequests: 'passes',
  changesSince: 'passes',
  changedFiles: 'passes',
  whyUnknown: 'passes',
  checks: 'passes',
  checkLog: 'passes',
  failingCheck: 'passes',
  findChecks: 'passes',
  remarks: 'passes',
  obstacles: 'passes',
  findPullRequest: 'passes',
  subscribe: 'passes',
  close: 'passes',
  push: 'confirms first',
  open: 'confirms first',
  edit: 'confirms first',
  markReady: 'confirms first',
  label: 'confirms first',
  comment: 'confirms first',
  putComment: 'confirms first',
  review: 'confirms first',
  merge: 'confirms first',
  abandon: 'confirms first',
  revert: 'confirms first',
};

const HOST: Members<Host> = {
  name: 'value',
  adopt: 'passes',
  observe: 'passes',
  output: 'passes',
  findLineNearEnd: 'passes',
  watch: 'passes',
  signal: 'passes',
  readCapacity: 'passes',
  start: 'confirms first',
  deliver: 'confirms first',
  forget: 'confirms first',
};

const WORKSPACES: Members<Workspaces> = {
  kind: 'value',
  buildWorkerEnvironment: 'passes',
  snapshotIntervalMs: 'value',
  snapshot: 'passes',
  exportBranch: 'passes',
  locateChanges: 'passes',
  ensure: 'passes',
  find: 'passes',
  readStatus: 'passes',
  bringToBase: 'passes',
  changedAt: 'passes',
  list: 'passes',
  prune: 'passes',
  remove: 'confirms first',
};

/** Enough arguments for the method with the most parameters. */
const ARGUMENTS = ['a', 'b', 'c', 'd'];

test.each([
  ['tracker', FencedTracker, TRACKER],
  ['local board', FencedBoardEditor, BOARD],
  ['forge', FencedForge, FORGE],
  ['host', FencedHost, HOST],
  ['workspaces', FencedWorkspaces, WORKSPACES],
] as const)(
  'forwards every member of the wrapped %s to the original, and confirms leadership before writes',
  async (_, fenced, members) => {
    const calls: string[] = [];
    const Fenced = fenced as unknown as new (port: object, leadership: object) => Record<string, unknown>;
    const port = new Fenced(recordCalls(members, calls), { confirm: async () => void calls.push('confirm') });
    for (const [name, how] of Object.entries(members)) {
      const member = port[name];
      calls.length = 0;
      if (how === 'value') {
        expect(member).toBe(`value of ${name}`);
        continue;
      }
      const method = member as (...given: readonly string[]) => unknown;
      const answer = method.apply(port, ARGUMENTS);
      expect(how === 'passes' ? answer : await answer).toBe(`answer of ${name}`);
      const passed = [name, ...ARGUMENTS.slice(0, method.length)].join(' ');
      expect(calls).toEqual(how === 'passes' ? [passed] : ['confirm', passed]);
    }
  },
);

test('every wrapper declares the optional parameters of its port, although the types do not enforce this', () => {
  const { adopt, output, findLineNearEnd } = FencedHost.prototype;
  expect([adopt.length, output.length, findLineNearEnd.length]).toEqual([1, 4, 4]);
  expect(FencedWorkspaces.prototype.remove.length).toBe(2);
});

test.each([
  ['tracker', FencedTracker, ['attach', 'posted', 'missingColumns', 'budget']],
  ['local board', FencedBoardEditor, ['attach', 'posted', 'missingColumns', 'budget']],
  ['forge', FencedForge, ['whyUnknown', 'obstacles', 'findPullRequest']],
] as const)('does not add optional methods that the wrapped %s lacks', (_, fenced, optional) => {
  const Fenced = fenced as unknown as new (port: object, leadership: object) => object;
  const port = new Fenced({}, { confirm: async () => undefined });
  for (const name of optional) expect(name in port).toBe(false);
});

/** Creates a port whose methods are bound to it and record the arguments they receive. */
function recordCalls(members: Readonly<Record<string, string>>, calls: string[]): object {
  const entries = Object.entries(members).map(([name, how]) => {
    if (how === 'value') return [name, `value of ${name}`];
    const method = function (this: unknown, ...given: readonly unknown[]) {
      expect(this).toBe(port);
      calls.push([name, ...given].join(' '));
      return `answer of ${name}`;
    };
    return [name, method];
  });
  const port: object = Object.fromEntries(entries);
  return port;
}
