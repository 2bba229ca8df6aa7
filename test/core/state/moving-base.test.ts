/** Checks how a moving base affects an issue that is ready to merge. */
import { describe, expect, test } from 'vitest';
import type { ChangeSince } from '../../../src/core/model/evidence.ts';
import type { PullRequest } from '../../../src/core/model/pull-request.ts';
import { SmallWorld } from './small-world.ts';

const REVIEW = { reviewer: 'r', verdict: 'approved', sha: 'c1', at: 1 } as const;

/**
 * Creates an approved issue in Retro whose evidence is all from commit c1, while its head is
 * already c2.
 */
function readyAtC1(change: Partial<ChangeSince>, parts: Partial<PullRequest> = {}): SmallWorld {
  const world = new SmallWorld();
  world.add('A-1', {
    column: 'Retro',
    labels: ['feature', 'test-passed', 'needs-approval', 'human-approved'],
  });
  world.open('A-1', { reviews: [REVIEW], headSha: 'c2', ...parts });
  world.prove('A-1', 'test');
  world.prove('A-1', 'retro');
  world.changes = new Map([['c1', { own: [], overlap: [], rebased: true, ...change }]]);
  return world;
}

function decided(world: SmallWorld): string[] {
  return world.pass().issues.flatMap(({ decisions }) => decisions.map(({ action }) => action));
}

function started(world: SmallWorld): string[] {
  return world.performed.flatMap((command) =>
    command.kind === 'spawn' ? [`${command.mode} ${command.purpose}`] : [],
  );
}

describe('a rebase that keeps the patch and brings in changes only to other files', () => {
  test('keeps tests, review, retro and approval, and dispatches the merger', () => {
    const world = readyAtC1({});
    expect(decided(world)).toEqual(['dispatch_merger']);
    expect(world.issues.get('A-1')?.labels).toEqual(
      expect.arrayContaining(['test-passed', 'human-approved', 'worker-active']),
    );
  });

  test('voids the quality gate, which is valid only at its own commit, and reruns it', () => {
    const world = readyAtC1({}, { ci: 'none' });
    world.policy = { ...world.policy, qualityGate: 'configured' };
    world.prove('A-1', 'quality_gate');
    expect(decided(world)).toEqual(['retry_quality_gate']);
    expect(world.performed).toEqual([{ kind: 'run_quality_gate', issue: 'A-1', sha: 'c2' }]);
    world.prove('A-1', 'quality_gate', 'c2');
    expect(decided(world)).toEqual(['dispatch_merger']);
  });
});

describe.each<[string, Partial<ChangeSince>]>([
  ['a rebase onto files that the branch also changes', { overlap: ['src/export.ts'] }],
  ['a rebase that changes the patch', { own: ['src/export.ts'] }],
  ['a later commit of the branch', { own: ['src/export.ts'], rebased: false }],
])('%s', (_, change) => {
  test('dispatches the tester for the new head and revokes the approval', () => {
    const world = readyAtC1(change);
    expect(decided(world)).toEqual(['transition_to_testing', 'dispatch_tester']);
    const labels = world.issues.get('A-1')?.labels ?? [];
    expect(labels).not.toContain('human-approved');
    expect(labels).not.toContain('test-passed');
  });

  test('repeats tests and review but not the retro', () => {
    const world = readyAtC1(change);
    world.pass();
    world.prove('A-1', 'test', 'c2');
    world.report('A-1', 'test-passed');
    world.pass();
    world.open('A-1', { headSha: 'c2', reviews: [REVIEW, { ...REVIEW, sha: 'c2', at: 2 }] });
    world.report('A-1');
    world.pass();
    expect(started(world)).toEqual(['test start', 'review start']);
    expect(world.issues.get('A-1')?.column).toBe('Retro');
    expect(decided(world)).toContain('skip');
    world.issues.set('A-1', { ...issueOf(world), labels: [...issueOf(world).labels, 'human-approved'] });
    expect(decided(world)).toEqual(['dispatch_merger']);
  });
});

test('does not repeat a finished retro while the pull request cannot be read', () => {
  const world = readyAtC1({});
  world.pullRequests.clear();
  world.unreadable.add('A-1');
  expect(decided(world)).toEqual(['retry_pr_check']);
});

describe('work sent back to the implementer', () => {
  test('needs another retro when it returns', () => {
    const world = readyAtC1({}, { mergeable: 'conflicting' });
    expect(decided(world)).toEqual(['resume_implementer_for_changes']);
    expect(world.issues.get('A-1')?.column).toBe('In Progress');
    sightInProgress(world);
    expect(world.state.issues.get('A-1')?.evidence.retro).toBeUndefined();
    expect(world.state.issues.get('A-1')?.evidence.test).toBeDefined();
  });

  test('also needs another retro if a person moved it back', () => {
    const world = readyAtC1({});
    sightInProgress(world);
    expect(world.state.issues.get('A-1')?.evidence.retro).toBeUndefined();
  });
});

/** Records the board as every pass does. */
function sightInProgress(world: SmallWorld): void {
  const column = 'In Progress';
  world.take({ type: 'issue.sighted', issue: 'A-1', sight: 1, title: 'Print JSON', status: column, column });
}

function issueOf(world: SmallWorld) {
  const issue = world.issues.get('A-1');
  if (issue === undefined) throw new Error('A-1 is not on the board');
  return issue;
}
