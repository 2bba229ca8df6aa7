import { expect, test } from 'vitest';
import type { EventBody } from '../../../src/core/model/event.ts';
import { foldEvents } from '../../../src/core/state/evolve.ts';
import { buildPruneEvents, FINISHED_RETENTION_MS, findPrunable } from '../../../src/core/state/retention.ts';
import { fromSnapshot, toSnapshot } from '../../../src/core/state/snapshot.ts';
import { createLegionState, type LegionState } from '../../../src/core/state/state.ts';

const DONE_AT = 1_000_000;
const identity = { issue: 'A-1', mode: 'implement', attempt: 1 } as const;

const WORDS = 'Many words. '.repeat(500);
const WORK: readonly EventBody[] = [
  { type: 'attempt.dispatched', ...identity, session: 's', version: 0, host: 'h' },
  { type: 'attempt.spawned', ...identity, pid: 7, startTime: '1' },
  { type: 'attempt.active', ...identity },
  { type: 'attempt.spent', ...identity, turns: 3, tokens: 500, usd: 2 },
  { type: 'question.asked', ...identity, question: 1, text: WORDS },
  { type: 'question.answered', issue: 'A-1', question: 1, by: 'me', text: WORDS },
  { type: 'handoff.written', issue: 'A-1', phase: 'implement', revision: 1, content: { summary: WORDS } },
  {
    type: 'evidence.recorded',
    issue: 'A-1',
    kind: 'quality_gate',
    revision: 1,
    sha: 'a'.repeat(40),
    verdict: 'passed',
    by: 'a-1-implement',
    suites: [],
    detail: WORDS,
  },
  { type: 'attempt.reported', ...identity, report: 1, outcome: 'done', summary: WORDS },
  { type: 'attempt.report_accepted', ...identity, report: 1 },
  { type: 'merge.landed', issue: 'A-1', merge: 1, pullRequest: 4, headSha: 'b', mergedSha: 'c', auto: false },
];
const EXITED: EventBody = { type: 'attempt.exited', ...identity, code: 0, signal: null };
const DONE: EventBody = {
  type: 'issue.sighted',
  issue: 'A-1',
  sight: 1,
  title: 'Greet',
  status: 'Done',
  column: 'Done',
};

function swarmAfter(bodies: readonly EventBody[]): LegionState {
  return foldEvents(createLegionState(), numbered(bodies));
}

function numbered(bodies: readonly EventBody[], after = 0) {
  return bodies.map((body, index) => ({ ...body, seq: after + index + 1, at: DONE_AT, epoch: 1 }));
}

const LATER = DONE_AT + FINISHED_RETENTION_MS;

test('prunes an issue once, two weeks after it is done', () => {
  const state = swarmAfter([...WORK, EXITED, DONE]);
  expect(findPrunable(state, LATER)).toEqual([]);
  expect(findPrunable(state, LATER + 1)).toEqual(['A-1']);
  const pruned = foldEvents(state, numbered(buildPruneEvents(state, 'A-1'), state.version));
  expect(findPrunable(pruned, LATER + 1)).toEqual([]);
  expect(buildPruneEvents(pruned, 'A-1')).toEqual([]);
});

test('prunes nothing of an issue that is open, may have a running process or has an open intent', () => {
  const open: EventBody = { ...DONE, status: 'Testing', column: 'Testing' };
  const intent: EventBody = {
    type: 'intent.opened',
    intent: 1,
    command: { kind: 'clean_workspace', issue: 'A-1' },
  };
  const kept = [
    [...WORK, EXITED, open],
    [...WORK, DONE],
    [...WORK, EXITED, DONE, intent],
  ];
  for (const bodies of kept) expect(findPrunable(swarmAfter(bodies), LATER + 1)).toEqual([]);
});

test('does not prune an issue that never had a worker', () => {
  const decided: EventBody = {
    type: 'decision.made',
    issue: 'A-1',
    decision: 1,
    action: 'skip',
    mode: 'implement',
    reason: 'done',
    evidence: [],
  };
  expect(findPrunable(swarmAfter([DONE, decided]), LATER + 1)).toEqual([]);
});

test('keeps the serial numbers, attempt, session, costs and merge of a pruned issue in less than 2 kB', () => {
  const state = swarmAfter([...WORK, EXITED, DONE]);
  expect(toSnapshot(state).state.length).toBeGreaterThan(20_000);
  const pruned = foldEvents(state, numbered(buildPruneEvents(state, 'A-1'), state.version));
  expect(pruned.issues.get('A-1')).toMatchObject({
    lastEvidence: 1,
    lastQuestion: 1,
    lastHandoff: 1,
    lastMerge: 1,
    generation: 1,
    lastPrune: 1,
    merged: { pullRequest: 4, mergedSha: 'c' },
    evidence: {},
    questions: {},
    handoffs: {},
  });
  expect(pruned.workers.get('a-1-implement')).toMatchObject({
    attempt: 1,
    session: 's',
    version: 0,
    lastReport: 1,
    facts: { acceptedAt: DONE_AT },
    spent: { now: { turns: 3, tokens: 500, usd: 2 } },
  });
  expect(toSnapshot(pruned).state.length).toBeLessThan(2_000);
  expect(fromSnapshot(toSnapshot(pruned))).toEqual(pruned);
});

test('does not mistake late events of a pruned issue for new ones', () => {
  const state = swarmAfter([...WORK, EXITED, DONE]);
  const pruned = foldEvents(state, numbered(buildPruneEvents(state, 'A-1'), state.version));
  const before = toSnapshot(pruned).state;
  const again = foldEvents(pruned, numbered([...WORK, EXITED], pruned.version));
  expect(again.ignored).toBe(WORK.length + 1);
  expect({ ...JSON.parse(toSnapshot(again).state), version: 0, ignored: 0 }).toEqual({
    ...JSON.parse(before),
    version: 0,
    ignored: 0,
  });
});

test('prunes an issue again after further work on it', () => {
  const state = swarmAfter([...WORK, EXITED, DONE]);
  const pruned = foldEvents(state, numbered(buildPruneEvents(state, 'A-1'), state.version));
  const next = { ...identity, attempt: 2 };
  const again = foldEvents(
    pruned,
    numbered(
      [
        { type: 'attempt.dispatched', ...next, session: 's', version: 0, host: 'h' },
        { type: 'attempt.reported', ...next, report: 1, outcome: 'done', summary: WORDS },
        { type: 'attempt.report_accepted', ...next, report: 1 },
      ],
      pruned.version,
    ),
  );
  expect(findPrunable(again, LATER + 1)).toEqual(['A-1']);
  expect(buildPruneEvents(again, 'A-1')).toEqual([{ type: 'issue.pruned', issue: 'A-1', prune: 2 }]);
});
