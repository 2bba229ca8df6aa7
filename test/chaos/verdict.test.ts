import { expect, test } from 'vitest';
import {
  type ChaosObservations,
  type JournalRow,
  judgePromises,
  READY_GOAL_MS,
} from '../../chaos/verdict.ts';

function row(seq: number, type: string, attempt?: string): JournalRow {
  return { seq, at: seq, epoch: 1, type, attempt };
}

/** A run in which every promise was kept. */
const KEPT: ChaosObservations = {
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
  observedEvents: [{ seq: 3, type: 'attempt.report_accepted', at: 3 }],
  readyMs: [700, READY_GOAL_MS],
  adopted: 3,
  unadopted: [],
  killed: new Set(['b-1-plan/1']),
};

function broken(change: Partial<ChaosObservations>): readonly string[] {
  return judgePromises({ ...KEPT, ...change })
    .filter(({ wrong }) => wrong.length > 0)
    .map(({ promise }) => promise);
}

test('reports no broken promise if all promises were kept', () => {
  expect(judgePromises(KEPT).flatMap(({ wrong }) => wrong)).toEqual([]);
});

const [first, ...others] = KEPT.board;
const [, , accepted] = KEPT.journal;

test.each<[string, string, Partial<ChaosObservations>]>([
  [
    'an issue that is not Done',
    'no issue is lost',
    { board: [{ id: 'B-1', title: 'Greet 1', status: 'Retro' }, ...others] },
  ],
  ['an issue missing from the board', 'no issue is lost', { board: others }],
  ['a duplicate issue', 'no issue is lost', { board: [...KEPT.board, ...(first ? [first] : [])] }],
  [
    'an issue that was never added',
    'no issue is lost',
    { board: [...KEPT.board, { id: 'B-3', title: 'Who?', status: 'Done' }] },
  ],
  ['a missing merge', 'no issue is lost', { subjects: ['B-2: Greet 10 (#2)'] }],
  ['a duplicate merge', 'no issue is lost', { subjects: [...KEPT.subjects, 'B-1: Greet 1 (#3)'] }],
  ['a merge that lacks the work', 'no issue is lost', { notes: ['# Greet 10'] }],
  ['an unread message', 'no report is lost or counted twice', { unread: ['1.json was never read'] }],
  [
    'a report counted twice',
    'no report is lost or counted twice',
    { journal: [...KEPT.journal, { ...(accepted ?? row(1, '')), seq: 5 }] },
  ],
  ['a worker that runs twice', 'no worker runs twice', { overlaps: ['b-1-plan: attempt 1 and attempt 2'] }],
  ['a worker that exited without being killed', 'no healthy worker is killed', { killed: new Set() }],
  [
    'a healthy worker killed by Legion',
    'no healthy worker is killed',
    { journal: [...KEPT.journal, row(5, 'kill.performed', 'b-2-plan/1')] },
  ],
  [
    'a signalled decoy',
    'no foreign process is signalled',
    { decoys: { there: 4, harmed: ['process 7 was killed by SIGTERM'] } },
  ],
  [
    'a damaged store',
    'the stores are intact',
    { stores: { ...KEPT.stores, 'board.db': 'row 3 missing from index' } },
  ],
  ['a missing journal', 'the stores are intact', { stores: { 'board.db': 'ok' } }],
  ['a gap in the journal', 'the stores are intact', { journal: KEPT.journal.filter(({ seq }) => seq !== 2) }],
  [
    'an old writer that wrote after its successor',
    'the stores are intact',
    { journal: KEPT.journal.map((each) => ({ ...each, epoch: each.seq === 1 ? 2 : 1 })) },
  ],
  [
    'a published event missing from the journal',
    'the stores are intact',
    { observedEvents: [{ seq: 5, type: 'attempt.exited', at: 5 }] },
  ],
  [
    'a published event that differs from the journal',
    'the stores are intact',
    { observedEvents: [{ seq: 3, type: 'attempt.exited', at: 3 }] },
  ],
  ['a slow start', 'ready again within 5 s', { readyMs: [READY_GOAL_MS + 1] }],
  [
    'a worker that was not adopted',
    'live workers are adopted',
    { unadopted: ['b-1-plan/1, process 7, was not adopted'] },
  ],
  ['an aborted run', 'the run completes', { failure: 'nothing has happened for 60 s' }],
])('detects %s', (_, promise, change) => {
  expect(broken(change)).toEqual([promise]);
});
