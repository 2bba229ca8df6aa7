import { describe, expect, test } from 'vitest';
import type { Command } from '../../../src/core/model/command.ts';
import { SmallWorld } from './small-world.ts';

describe('a pass over the board', () => {
  test('takes an issue from Triage to Done through all seven phases, with one write per phase', () => {
    const world = new SmallWorld();
    world.add('A-1');
    const identity: [string, () => void][] = [
      ['architect', () => world.report('A-1')],
      ['plan', () => world.report('A-1')],
      [
        'implement',
        () => {
          world.open('A-1');
          world.report('A-1');
        },
      ],
      [
        'test',
        () => {
          world.prove('A-1', 'test');
          world.report('A-1', 'test-passed');
        },
      ],
      [
        'review',
        () => {
          world.open('A-1', { reviews: [{ reviewer: 'r', verdict: 'approved', sha: 'c1', at: 1 }] });
          world.report('A-1');
        },
      ],
      [
        'implement',
        () => {
          world.prove('A-1', 'retro');
          world.report('A-1');
        },
      ],
      [
        'merge',
        () => {
          world.open('A-1', { state: 'merged' });
          world.report('A-1');
        },
      ],
    ];
    for (const [mode, work] of identity) {
      world.pass();
      expect(liveMode(world)).toBe(mode);
      work();
    }
    world.pass();
    expect(world.issues.get('A-1')?.column).toBe('Done');
    expect(world.issues.get('A-1')?.labels).toEqual(['chore', 'auto-merged']);
    // One write per phase, plus the last move to Done.
    expect(world.writes('A-1')).toBe(8);
  });

  test('asks a person to approve the specification, with its text and the command', () => {
    const world = new SmallWorld();
    world.policy = { ...world.policy, approvals: { architect: 'required', merge: 'auto' } };
    world.add('A-1', { column: 'Backlog' });
    world.pass();
    world.take({
      type: 'handoff.written',
      issue: 'A-1',
      phase: 'architect',
      revision: 1,
      content: { summary: 'JSON for export', decided: ['No colours'] },
    });
    world.report('A-1');
    world.pass();
    const asked = world.performed.find(({ kind }) => kind === 'escalate');
    expect(asked).toMatchObject({
      text: expect.stringMatching(
        /^The specification is waiting for your approval: JSON for export\.\nNext: `legion approve A-1`\n[\s\S]*\nDecided:\n- No colours$/,
      ),
    });
  });

  test('never writes a label that the same pass would remove again', () => {
    const world = new SmallWorld();
    world.add('A-1', { column: 'Todo' });
    world.pass();
    world.report('A-1');
    world.pass();
    const sent = world.performed
      .filter((command) => command.kind === 'write_issue')
      .flatMap(({ add }) => add);
    expect(sent).toEqual(['worker-active']);
  });

  test('writes pending labels even if nothing else is due, so that people see them', () => {
    const world = new SmallWorld();
    world.add('A-1', { column: 'Todo' });
    world.pass();
    const identity = { issue: 'A-1', mode: 'plan', attempt: 1 } as const;
    world.take({ type: 'attempt.waiting', ...identity, wait: 1, for: 'user' });
    world.take({ type: 'labels.owed', issue: 'A-1', revision: 1, add: ['user-input-needed'], remove: [] });
    world.pass();
    expect(world.issues.get('A-1')?.labels).toContain('user-input-needed');
    expect(world.look().issues[0]?.events).toEqual([]);
  });

  test('still has to write a label that was requested while an earlier write was in progress', () => {
    const world = new SmallWorld();
    world.add('A-1', { column: 'Todo' });
    world.take({ type: 'labels.owed', issue: 'A-1', revision: 1, add: ['user-input-needed'], remove: [] });
    const [found] = world.look().issues;
    expect(found?.commands[0]?.command).toMatchObject({ kind: 'write_issue', covers: 1 });
    world.take({ type: 'labels.owed', issue: 'A-1', revision: 2, add: ['user-feedback-given'], remove: [] });
    world.take({ type: 'labels.written', issue: 'A-1', revision: 1 });
    expect(world.state.issues.get('A-1')?.owed).toMatchObject([{ revision: 2 }]);
  });

  test('relays an answer to the worker that asked', () => {
    const world = new SmallWorld();
    world.add('A-1', { column: 'Backlog' });
    world.pass();
    world.take({
      type: 'attempt.waiting',
      issue: 'A-1',
      mode: 'architect',
      attempt: 1,
      wait: 1,
      for: 'user',
    });
    world.add('A-1', { column: 'Backlog', labels: ['user-input-needed', 'user-feedback-given'] });
    world.pass();
    expect(spawned(world).at(-1)).toMatchObject({ mode: 'architect', attempt: 2, purpose: 'feedback' });
  });

  test('writes nothing and does nothing on an unchanged board', () => {
    const world = new SmallWorld();
    world.add('A-1', { column: 'Todo' });
    world.pass();
    world.pass();
    const before = world.state.version;
    const { issues } = world.pass();
    expect(issues.flatMap(({ events, commands }) => [...events, ...commands])).toEqual([]);
    expect(world.state.version).toBe(before);
  });

  test('does nothing about an issue while the issue has an open intent', () => {
    const world = new SmallWorld();
    world.add('A-1', { column: 'Todo' });
    world.take({ type: 'intent.opened', intent: 1, command: { kind: 'reread_forge', issue: 'A-1' } });
    expect(world.look().issues).toEqual([]);
  });

  test('gives the same result for the same state, board and time', () => {
    const world = new SmallWorld();
    for (let n = 1; n <= 5; n += 1) world.add(`A-${n}`, { column: n % 2 === 0 ? 'Todo' : 'Backlog' });
    expect(world.look()).toEqual(world.look());
  });

  test('starts urgent issues before old ones, and no more than the slots allow', () => {
    const world = new SmallWorld();
    world.limits = { ...world.limits, slots: { workers: 2, perMode: {} } };
    world.add('A-1', { column: 'Todo', priority: 3 });
    world.add('A-2', { column: 'Todo' });
    world.add('A-3', { column: 'Todo', priority: 1 });
    const { issues } = world.pass();
    expect(spawned(world).map(({ issue }) => issue)).toEqual(['A-3', 'A-1']);
    expect(issues.find(({ issue }) => issue === 'A-2')?.decisions.at(-1)).toMatchObject({
      reason: 'no_capacity',
    });
  });

  test('does not count reviewers against the slots', () => {
    const world = new SmallWorld();
    world.limits = { ...world.limits, slots: { workers: 0, perMode: {} } };
    world.add('A-1', { column: 'Needs Review' });
    world.open('A-1');
    world.pass();
    expect(spawned(world)).toMatchObject([{ mode: 'review' }]);
  });

  test('applies a separate worker limit to a mode that has one', () => {
    const world = new SmallWorld();
    world.limits = { ...world.limits, slots: { workers: 10, perMode: { plan: 1 } } };
    world.add('A-1', { column: 'Todo' });
    world.add('A-2', { column: 'Todo' });
    world.pass();
    expect(spawned(world)).toHaveLength(1);
  });

  test('staggers starts and returns the wake-up time', () => {
    const world = new SmallWorld();
    world.limits = { ...world.limits, staggerMs: 2_000 };
    world.add('A-1', { column: 'Todo' });
    world.add('A-2', { column: 'Todo' });
    expect(world.pass().wakeAt).toBe(3_000);
    world.pass();
    expect(spawned(world)).toHaveLength(1);
    world.now = 3_000;
    world.pass();
    expect(spawned(world)).toHaveLength(2);
  });

  test('starts no worker while the breaker is open', () => {
    const world = new SmallWorld();
    world.add('A-1', { column: 'Todo' });
    world.take({ type: 'breaker.opened', breaker: 1, why: '3 crashes in 30 s' });
    expect(world.pass().issues[0]?.decisions.at(-1)).toMatchObject({
      action: 'skip',
      reason: 'breaker_open',
    });
  });

  test('starts no worker on a stale board until it is read again', () => {
    const world = new SmallWorld();
    world.add('A-1', { column: 'Todo' });
    world.boardGoodUntil = world.now - 1;
    expect(world.pass().issues[0]?.decisions.at(-1)).toMatchObject({ action: 'skip', reason: 'board_stale' });
    expect(spawned(world)).toHaveLength(0);
    world.boardGoodUntil = world.now;
    world.pass();
    expect(spawned(world)).toHaveLength(1);
  });

  test('releases one clarified issue at a time from the Icebox, oldest first', () => {
    const world = new SmallWorld();
    for (const id of ['A-1', 'A-2']) world.add(id, { body: 'It is slow.' });
    world.pass();
    for (const id of ['A-1', 'A-2']) world.add(id, { column: 'Icebox', labels: ['user-feedback-given'] });
    world.pass();
    expect([...world.issues.values()].map(({ column }) => column)).toEqual(['Backlog', 'Icebox']);
  });

  test('leaves an issue in the Icebox if a person put it there, even if the issue is clear', () => {
    const world = new SmallWorld();
    world.add('A-1', { column: 'Icebox', labels: ['user-feedback-given'] });
    world.pass();
    expect(world.issues.get('A-1')?.column).toBe('Icebox');
    expect(world.state.issues.get('A-1')?.decision).toMatchObject({ action: 'skip', reason: 'parked' });
  });

  test('treats the return of an issue to the Icebox as a move by a person', () => {
    const world = new SmallWorld();
    world.add('A-1', { body: 'It is slow.' });
    world.pass();
    const sighting = { type: 'issue.sighted', issue: 'A-1', title: 'A-1' } as const;
    world.take({ ...sighting, sight: 1, status: 'Backlog', column: 'Backlog' });
    world.take({ ...sighting, sight: 2, status: 'Icebox', column: 'Icebox' });
    world.add('A-1', { column: 'Icebox', labels: ['user-feedback-given'] });
    world.pass();
    expect(world.issues.get('A-1')?.column).toBe('Icebox');
  });

  test('posts its questions as a comment when it sends an issue to the Icebox', () => {
    const world = new SmallWorld();
    world.add('A-1', { body: 'It is slow.' });
    world.pass();
    expect(world.performed.find((command) => command.kind === 'comment')).toMatchObject({
      key: 'A-1:icebox:0',
      text: expect.stringContaining('Which part is it about'),
    });
  });

  test('notifies a person once about a check that does not finish, and keeps checking', () => {
    const world = new SmallWorld();
    world.add('A-1', { column: 'In Progress', labels: ['worker-done'] });
    world.open('A-1', { ci: 'pending' });
    world.pass();
    world.now += 3_600_001;
    world.pass();
    world.pass();
    expect(world.performed.filter((command) => command.kind === 'escalate')).toHaveLength(1);
    world.open('A-1', { ci: 'passing' });
    world.pass();
    expect(world.issues.get('A-1')?.column).toBe('Testing');
  });

  test('asks a person when the rounds are used up, and restarts the count after the answer', () => {
    const world = new SmallWorld();
    world.add('A-1', { column: 'In Progress', labels: ['worker-done'] });
    world.open('A-1', { ci: 'failing' });
    for (let round = 0; round < 4; round += 1) {
      world.pass();
      world.report('A-1');
    }
    world.pass();
    expect(world.issues.get('A-1')?.labels).toContain('user-input-needed');
    expect(world.state.issues.get('A-1')?.rounds).toEqual({ ci_failure: 3 });
    const labels = [...(world.issues.get('A-1')?.labels ?? []), 'user-feedback-given'];
    world.add('A-1', { column: 'In Progress', labels });
    world.pass();
    expect(world.state.issues.get('A-1')).toMatchObject({ rounds: { ci_failure: 1 }, generation: 1 });
  });

  test('makes a parent issue wait for its sub-issues, and finishes it after the last one', () => {
    const world = new SmallWorld();
    world.add('A-1', { column: 'Backlog', labels: ['worker-done'] });
    world.add('A-2', { column: 'Done' });
    world.add('A-3', { column: 'Icebox' });
    world.take({ type: 'split.made', issue: 'A-1', revision: 1, children: ['A-2', 'A-3'] });
    world.pass();
    expect(world.issues.get('A-1')?.column).toBe('Backlog');
    world.add('A-3', { column: 'Done' });
    world.pass();
    expect(world.issues.get('A-1')?.column).toBe('Done');
    expect(spawned(world)).toEqual([]);
  });
});

function spawned({ performed }: SmallWorld): Extract<Command, { kind: 'spawn' }>[] {
  return performed.filter((command) => command.kind === 'spawn');
}

function liveMode({ state }: SmallWorld): string | undefined {
  return [...state.workers.values()].find(({ facts }) => facts.acceptedAt === undefined)?.mode;
}
