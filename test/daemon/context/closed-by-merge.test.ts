import { expect, test } from 'vitest';
import type { Issue } from '../../../src/core/model/issue.ts';
import type { PullRequest } from '../../../src/core/model/pull-request.ts';
import {
  createIssueRecord,
  createLegionState,
  type IssueRecord,
  type LegionState,
} from '../../../src/core/state/state.ts';
import {
  isPossiblyClosedByMerge,
  resolveStatusAfterMerge,
} from '../../../src/daemon/context/closed-by-merge.ts';

const ID = 'acme-app-1';
const CLOSED: Issue = {
  id: ID,
  source: { kind: 'github', owner: 'acme', repo: 'app', number: 1 },
  column: 'Closed',
  title: 'Greet',
  body: '',
  labels: [],
  priority: 0,
  createdAt: 0,
  openBlockers: [],
  writtenBy: { name: 'ada', mayWrite: true },
};
const MERGED = { pullRequest: 7, headSha: 'a', mergedSha: 'b', at: 1, auto: true };

function knowing(record: Partial<IssueRecord>): LegionState {
  return { ...createLegionState(), issues: new Map([[ID, { ...createIssueRecord(ID), ...record }]]) };
}

function decided(reason: string): Pick<IssueRecord, 'decision'> {
  return { decision: { action: 'skip', mode: 'merge', reason, evidence: [], since: 0 } };
}

const undone = { revert: 8, branch: 'revert', by: 'ada', at: 2 };

test.for([
  ['is read if work on the issue was in progress', decided('worker_live'), true],
  ['is not read if Legion already treated the issue as closed', decided('terminal'), false],
  ['is not read if Legion never worked on the issue', {}, false],
  [
    'is read if the merge is recorded although Legion treated the issue as closed',
    { ...decided('terminal'), merged: MERGED },
    true,
  ],
  [
    'is not read if the issue was Done and a person has moved it since',
    { ...decided('done'), merged: MERGED },
    false,
  ],
  [
    'is not read if the merge was undone before the issue was closed',
    { ...decided('terminal'), merged: { ...MERGED, undone } },
    false,
  ],
] as const)('the pull request of a closed issue %s', ([, record, asked]) => {
  expect(isPossiblyClosedByMerge(knowing(record), CLOSED, 'terminal')).toBe(asked);
});

test('reads the pull request once for an issue that the board moved to Done, unless the merge is already known', () => {
  expect(isPossiblyClosedByMerge(knowing(decided('worker_live')), CLOSED, 'Done')).toBe(true);
  expect(isPossiblyClosedByMerge(knowing(decided('done')), CLOSED, 'Done')).toBe(false);
  const known = { ...decided('worker_live'), merged: MERGED };
  expect(isPossiblyClosedByMerge(knowing(known), CLOSED, 'Done')).toBe(false);
});

test('never reads the pull request of a closed issue on the local board', () => {
  const local: Issue = { ...CLOSED, source: { kind: 'local' } };
  expect(isPossiblyClosedByMerge(knowing(decided('worker_live')), local, 'terminal')).toBe(false);
});

test('treats a closed issue as Retro only if its pull request is merged', () => {
  const pullRequest = (state: PullRequest['state']) => ({ state }) as PullRequest;
  expect(resolveStatusAfterMerge('terminal', pullRequest('merged'))).toBe('Retro');
  expect(resolveStatusAfterMerge('terminal', pullRequest('open'))).toBe('terminal');
  expect(resolveStatusAfterMerge('terminal', 'unknown')).toBe('terminal');
  expect(resolveStatusAfterMerge('Testing', pullRequest('merged'))).toBe('Testing');
});
