import { expect, test } from 'vitest';
import type { EventBody } from '../../../src/core/model/event.ts';
import { fold } from '../../../src/core/state/evolve.ts';
import { fromSnapshot, toSnapshot } from '../../../src/core/state/snapshot.ts';
import { emptySwarm, type Swarm } from '../../../src/core/state/state.ts';
import { FINISHED_KEPT_MS, findPrunable, pruneEvents } from '../../../src/swarm/retention.ts';

const DONE_AT = 1_000_000;
const life = { issue: 'A-1', mode: 'implement', attempt: 1 } as const;

const WORDS = 'Many words. '.repeat(500);
const WORK: readonly EventBody[] = [
  { type: 'attempt.dispatched', ...life, session: 's', version: 0, host: 'h' },
  { type: 'attempt.spawned', ...life, pid: 7, startTime: '1' },
  { type: 'attempt.active', ...life },
  { type: 'attempt.spent', ...life, turns: 3, tokens: 500, usd: 2 },
  { type: 'question.asked', ...life, question: 1, text: WORDS },
  { type: 'question.answered', issue: 'A-1', question: 1, by: 'me', text: WORDS },
  { type: 'handoff.written', issue: 'A-1', phase: 'implement', revision: 1, content: { summary: WORDS } },
  {
    type: 'evidence.recorded',
    ...{ issue: 'A-1', kind: 'quality_gate', revision: 1, sha: 'a'.repeat(40), verdict: 'passed' },
    ...{ by: 'a-1-implement', suites: [], detail: WORDS },
  },
  { type: 'attempt.reported', ...life, report: 1, outcome: 'done', summary: WORDS },
  { type: 'attempt.report_accepted', ...life, report: 1 },
  { type: 'merge.landed', issue: 'A-1', merge: 1, pullRequest: 4, headSha: 'b', mergedSha: 'c', auto: false },
];
const EXITED: EventBody = { type: 'attempt.exited', ...life, code: 0, signal: null };
const DONE: EventBody = {
  type: 'issue.sighted',
  ...{ issue: 'A-1', sight: 1, title: 'Greet', status: 'Done', column: 'Done' },
};

function swarmAfter(bodies: readonly EventBody[]): Swarm {
  return fold(emptySwarm(), numbered(bodies));
}

function numbered(bodies: readonly EventBody[], after = 0) {
  return bodies.map((body, index) => ({ ...body, seq: after + index + 1, at: DONE_AT, epoch: 1 }));
}

const LATER = DONE_AT + FINISHED_KEPT_MS;

test('an issue is pruned two weeks after it is done, and once', () => {
  const swarm = swarmAfter([...WORK, EXITED, DONE]);
  expect(findPrunable(swarm, LATER)).toEqual([]);
  expect(findPrunable(swarm, LATER + 1)).toEqual(['A-1']);
  const pruned = fold(swarm, numbered(pruneEvents(swarm, 'A-1'), swarm.version));
  expect(findPrunable(pruned, LATER + 1)).toEqual([]);
  expect(pruneEvents(pruned, 'A-1')).toEqual([]);
});

test('an issue stays whole while it is open, a process may run, or an intent is open', () => {
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

test('an issue nobody worked on needs no pruning', () => {
  const decided: EventBody = {
    type: 'decision.made',
    ...{ issue: 'A-1', decision: 1, action: 'skip', mode: 'implement', reason: 'done', evidence: [] },
  };
  expect(findPrunable(swarmAfter([DONE, decided]), LATER + 1)).toEqual([]);
});

test('a pruned issue keeps serials, attempt, session, costs and its merge in less than 2 kB', () => {
  const swarm = swarmAfter([...WORK, EXITED, DONE]);
  expect(toSnapshot(swarm).state.length).toBeGreaterThan(20_000);
  const pruned = fold(swarm, numbered(pruneEvents(swarm, 'A-1'), swarm.version));
  expect(pruned.issues.get('A-1')).toMatchObject({
    ...{ lastEvidence: 1, lastQuestion: 1, lastHandoff: 1, lastMerge: 1, generation: 1, lastPrune: 1 },
    merged: { pullRequest: 4, mergedSha: 'c' },
    ...{ evidence: {}, questions: {}, handoffs: {} },
  });
  expect(pruned.workers.get('a-1-implement')).toMatchObject({
    ...{ attempt: 1, session: 's', version: 0, lastReport: 1, facts: { acceptedAt: DONE_AT } },
    spent: { now: { turns: 3, tokens: 500, usd: 2 } },
  });
  expect(toSnapshot(pruned).state.length).toBeLessThan(2_000);
  expect(fromSnapshot(toSnapshot(pruned))).toEqual(pruned);
});

test('nothing that comes late to a pruned issue passes for new', () => {
  const swarm = swarmAfter([...WORK, EXITED, DONE]);
  const pruned = fold(swarm, numbered(pruneEvents(swarm, 'A-1'), swarm.version));
  const before = toSnapshot(pruned).state;
  const again = fold(pruned, numbered([...WORK, EXITED], pruned.version));
  expect(again.ignored).toBe(WORK.length + 1);
  expect({ ...JSON.parse(toSnapshot(again).state), version: 0, ignored: 0 }).toEqual({
    ...JSON.parse(before),
    version: 0,
    ignored: 0,
  });
});

test('an issue that is worked on again is pruned again', () => {
  const swarm = swarmAfter([...WORK, EXITED, DONE]);
  const pruned = fold(swarm, numbered(pruneEvents(swarm, 'A-1'), swarm.version));
  const next = { ...life, attempt: 2 };
  const again = fold(
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
  expect(pruneEvents(again, 'A-1')).toEqual([{ type: 'issue.pruned', issue: 'A-1', prune: 2 }]);
});
