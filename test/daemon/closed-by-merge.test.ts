import { expect, test } from 'vitest';
import type { PullRequest } from '../../src/core/model/pull-request.ts';
import { emptySwarm, type IssueRecord, newIssueRecord, type Swarm } from '../../src/core/state/state.ts';
import { mayBeClosedByMerge, statusAfterMerge } from '../../src/daemon/closed-by-merge.ts';
import type { Issue } from '../../src/domain/issue.ts';

const ID = 'acme-app-1';
const CLOSED: Issue = {
  ...{ id: ID, source: { kind: 'github', owner: 'acme', repo: 'app', number: 1 }, column: 'Closed' },
  ...{ title: 'Greet', body: '', labels: [], priority: 0, createdAt: 0, openBlockers: [] },
  writtenBy: { name: 'ada', mayWrite: true },
};
const MERGED = { pullRequest: 7, headSha: 'a', mergedSha: 'b', at: 1, auto: true };

function knowing(record: Partial<IssueRecord>): Swarm {
  return { ...emptySwarm(), issues: new Map([[ID, { ...newIssueRecord(ID), ...record }]]) };
}

function decided(reason: string): Pick<IssueRecord, 'decision'> {
  return { decision: { action: 'skip', mode: 'merge', reason, evidence: [], since: 0 } };
}

const undone = { revert: 8, branch: 'revert', by: 'ada', at: 2 };

test.for([
  ['work was under way on it', decided('worker_live'), true],
  ['it was seen as closed before', decided('terminal'), false],
  ['nobody ever worked on it', {}, false],
  [
    'its merge is known, also where it was taken for closed',
    { ...decided('terminal'), merged: MERGED },
    true,
  ],
  ['it was Done, and a person has moved it since', { ...decided('done'), merged: MERGED }, false],
  [
    'its merge was undone and it was closed then',
    { ...decided('terminal'), merged: { ...MERGED, undone } },
    false,
  ],
] as const)('the pull request of a closed issue is asked for or not: %s', ([, record, asked]) => {
  expect(mayBeClosedByMerge(knowing(record), CLOSED, 'terminal')).toBe(asked);
});

test('the pull request of an issue that the board moved to Done is read once, unless its merge is known', () => {
  expect(mayBeClosedByMerge(knowing(decided('worker_live')), CLOSED, 'Done')).toBe(true);
  expect(mayBeClosedByMerge(knowing(decided('done')), CLOSED, 'Done')).toBe(false);
  const known = { ...decided('worker_live'), merged: MERGED };
  expect(mayBeClosedByMerge(knowing(known), CLOSED, 'Done')).toBe(false);
});

test('on a board of our own nothing but a person closes an issue', () => {
  const local: Issue = { ...CLOSED, source: { kind: 'local' } };
  expect(mayBeClosedByMerge(knowing(decided('worker_live')), local, 'terminal')).toBe(false);
});

test('a closed issue is read as before its end only where its pull request is merged', () => {
  const pullRequest = (state: PullRequest['state']) => ({ state }) as PullRequest;
  expect(statusAfterMerge('terminal', pullRequest('merged'))).toBe('Retro');
  expect(statusAfterMerge('terminal', pullRequest('open'))).toBe('terminal');
  expect(statusAfterMerge('terminal', 'unknown')).toBe('terminal');
  expect(statusAfterMerge('Testing', pullRequest('merged'))).toBe('Testing');
});
