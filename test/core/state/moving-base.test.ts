/** What a base that others move does to an issue that is ready to be merged. */
import { describe, expect, test } from 'vitest';
import type { PullRequest } from '../../../src/core/model/pull-request.ts';
import type { ChangeSince } from '../../../src/domain/evidence.ts';
import { SmallWorld } from './small-world.ts';

const REVIEW = { reviewer: 'r', verdict: 'approved', sha: 'c1', at: 1 } as const;

/** An approved issue in Retro with every proof at c1, whose head is c2 by now. */
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

describe('a rebase that leaves the patch as it is, beside other files', () => {
  test('keeps tests, review, retro and the approval: the merger is sent', () => {
    const world = readyAtC1({});
    expect(decided(world)).toEqual(['dispatch_merger']);
    expect(world.issues.get('A-1')?.labels).toEqual(
      expect.arrayContaining(['test-passed', 'human-approved', 'worker-active']),
    );
  });

  test('keeps no quality gate: it counts at its own commit alone, and the host runs it again', () => {
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
  ['a rebase onto files that the branch changes as well', { overlap: ['src/export.ts'] }],
  ['a rebase that changes the patch', { own: ['src/export.ts'] }],
  ['a later commit of the branch', { own: ['src/export.ts'], rebased: false }],
])('%s', (_, change) => {
  test('sends the tester to the new head and takes the approval back', () => {
    const world = readyAtC1(change);
    expect(decided(world)).toEqual(['transition_to_testing', 'dispatch_tester']);
    const labels = world.issues.get('A-1')?.labels ?? [];
    expect(labels).not.toContain('human-approved');
    expect(labels).not.toContain('test-passed');
  });

  test('is tested and reviewed again, and not looked back on again', () => {
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

test('a retro that was done is not started again while the pull request cannot be read', () => {
  const world = readyAtC1({});
  world.pullRequests.clear();
  world.unreadable.add('A-1');
  expect(decided(world)).toEqual(['retry_pr_check']);
});

describe('work that goes back to the implementer', () => {
  test('is looked back on again when it returns', () => {
    const world = readyAtC1({}, { mergeable: 'conflicting' });
    expect(decided(world)).toEqual(['resume_implementer_for_changes']);
    expect(world.issues.get('A-1')?.column).toBe('In Progress');
    sightInProgress(world);
    expect(world.swarm.issues.get('A-1')?.evidence.retro).toBeUndefined();
    expect(world.swarm.issues.get('A-1')?.evidence.test).toBeDefined();
  });

  test('is looked back on again also when a person moved it there', () => {
    const world = readyAtC1({});
    sightInProgress(world);
    expect(world.swarm.issues.get('A-1')?.evidence.retro).toBeUndefined();
  });
});

/** As every look writes down what the board shows. */
function sightInProgress(world: SmallWorld): void {
  const column = 'In Progress';
  world.take({ type: 'issue.sighted', issue: 'A-1', sight: 1, title: 'Print JSON', status: column, column });
}

function issueOf(world: SmallWorld) {
  const issue = world.issues.get('A-1');
  if (issue === undefined) throw new Error('A-1 is not on the board');
  return issue;
}
