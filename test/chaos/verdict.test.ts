import { expect, test } from 'vitest';
import { type JournalRow, READY_GOAL_MS, type Seen, verdicts } from '../../chaos/verdict.ts';

function row(seq: number, type: string, attempt?: string): JournalRow {
  return { seq, at: seq, epoch: 1, type, attempt };
}

/** A run in which every promise was kept. */
const KEPT: Seen = {
  titles: ['Greet 1', 'Greet 10'],
  board: [
    { id: 'B-1', title: 'Greet 1', status: 'Done' },
    { id: 'B-2', title: 'Greet 10', status: 'Done' },
  ],
  subjects: ['B-2: Greet 10 (#2)', 'B-1: Greet 1 (#1)', 'first'],
  notes: ['# Greet 1', '# Greet 10'],
  unread: [],
  overlaps: [],
  decoys: { there: 4, harmed: [] },
  stores: { 'board.db': 'ok', 'journal.db': 'ok' },
  journal: [
    row(1, 'leader.elected'),
    row(2, 'attempt.crashed', 'b-1-plan/1'),
    row(3, 'attempt.report_accepted', 'b-1-plan/2'),
    row(4, 'attempt.report_accepted', 'b-2-plan/1'),
  ],
  told: [{ seq: 3, type: 'attempt.report_accepted', at: 3 }],
  readyMs: [700, READY_GOAL_MS],
  adopted: 3,
  unadopted: [],
  killed: new Set(['b-1-plan/1']),
};

function broken(change: Partial<Seen>): readonly string[] {
  return verdicts({ ...KEPT, ...change })
    .filter(({ wrong }) => wrong.length > 0)
    .map(({ promise }) => promise);
}

test('nothing is broken where everything was kept', () => {
  expect(verdicts(KEPT).flatMap(({ wrong }) => wrong)).toEqual([]);
});

const [first, ...others] = KEPT.board;
const [, , accepted] = KEPT.journal;

test.each<[string, string, Partial<Seen>]>([
  [
    'an issue that is not Done',
    'no issue is lost',
    { board: [{ id: 'B-1', title: 'Greet 1', status: 'Retro' }, ...others] },
  ],
  ['an issue that is gone from the board', 'no issue is lost', { board: others }],
  ['an issue that is there twice', 'no issue is lost', { board: [...KEPT.board, ...(first ? [first] : [])] }],
  [
    'an issue that nobody has added',
    'no issue is lost',
    { board: [...KEPT.board, { id: 'B-3', title: 'Who?', status: 'Done' }] },
  ],
  ['a merge that is missing', 'no issue is lost', { subjects: ['B-2: Greet 10 (#2)'] }],
  ['a merge that came twice', 'no issue is lost', { subjects: [...KEPT.subjects, 'B-1: Greet 1 (#3)'] }],
  ['a merge without its work', 'no issue is lost', { notes: ['# Greet 10'] }],
  [
    'a message that nobody has read',
    'no report is lost or counts twice',
    { unread: ['1.json was never read'] },
  ],
  [
    'a report that counts twice',
    'no report is lost or counts twice',
    { journal: [...KEPT.journal, { ...(accepted ?? row(1, '')), seq: 5 }] },
  ],
  [
    'a worker that is there twice',
    'no worker is there twice',
    { overlaps: ['b-1-plan: attempt 1 and attempt 2'] },
  ],
  ['a death that nobody has caused', 'nobody healthy is ended', { killed: new Set() }],
  [
    'a kill by Legion of one that nobody has harmed',
    'nobody healthy is ended',
    { journal: [...KEPT.journal, row(5, 'kill.performed', 'b-2-plan/1')] },
  ],
  [
    'a decoy that was signalled',
    'no foreign process is signalled',
    { decoys: { there: 4, harmed: ['process 7 was ended by SIGTERM'] } },
  ],
  [
    'a damaged store',
    'the stores are intact',
    { stores: { ...KEPT.stores, 'board.db': 'row 3 missing from index' } },
  ],
  ['a journal that is gone', 'the stores are intact', { stores: { 'board.db': 'ok' } }],
  ['a gap in the journal', 'the stores are intact', { journal: KEPT.journal.filter(({ seq }) => seq !== 2) }],
  [
    'a writer after its successor',
    'the stores are intact',
    { journal: KEPT.journal.map((each) => ({ ...each, epoch: each.seq === 1 ? 2 : 1 })) },
  ],
  [
    'an event that was told and is forgotten',
    'the stores are intact',
    { told: [{ seq: 5, type: 'attempt.exited', at: 5 }] },
  ],
  [
    'an event that was told otherwise',
    'the stores are intact',
    { told: [{ seq: 3, type: 'attempt.exited', at: 3 }] },
  ],
  ['a start that took too long', 'ready again within 5 s', { readyMs: [READY_GOAL_MS + 1] }],
  [
    'a worker that nobody knows',
    'live workers are adopted',
    { unadopted: ['b-1-plan/1, process 7, is known to nobody'] },
  ],
  ['a run that broke off', 'it comes to its end', { failure: 'nothing has happened for 60 s' }],
])('%s is seen', (_, promise, change) => {
  expect(broken(change)).toEqual([promise]);
});
