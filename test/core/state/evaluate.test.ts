import { join } from 'node:path';
import { expect, test } from 'vitest';
import { IssueEvaluator } from '../../../src/core/state/evaluate.ts';
import { listImports } from '../../architecture/imports.ts';
import { parseModule, type SourceModule } from '../../architecture/source-module.ts';
import { readSourceTree } from '../../architecture/source-tree.ts';
import { countCalls } from '../../support/count-calls.ts';
import { SmallWorld } from './small-world.ts';

const DECIDE = 'src/core/pipeline/decide.ts';

test('a pass computes one decision per issue', async () => {
  const world = boardOf('Todo', 'Backlog', 'In Progress', 'Done');
  expect(await countCalls(DECIDE, 'decide', () => world.look())).toBe(4);
});

test('a pass that makes two decisions in a row for one issue computes each of them once', async () => {
  const world = boardOf('Triage');
  let decisions = 0;
  const calls = await countCalls(DECIDE, 'decide', () => {
    decisions = world.look().issues[0]?.decisions.length ?? 0;
  });
  expect(decisions).toBe(2);
  expect(calls).toBe(decisions);
});

test.each(['Todo', 'Triage'])('evaluating a single issue in %s computes one decision', async (column) => {
  const world = boardOf(column);
  const [seen] = world.seen();
  const evaluator = new IssueEvaluator(world.state, world.seen(), world.context());
  expect(await countCalls(DECIDE, 'decide', () => seen && evaluator.evaluate(seen))).toBe(1);
});

test('evaluating a single issue gives the first decision that a pass would make for it', () => {
  const world = boardOf('Triage', 'Icebox', 'Backlog', 'Todo', 'In Progress', 'Testing', 'Done');
  world.add('A-8', { column: 'Todo', labels: ['user-input-needed', 'user-feedback-given'] });
  world.add('A-9', { column: 'In Progress', openBlockers: ['A-1'] });
  world.limits = { ...world.limits, slots: { workers: 1, perMode: {} } };
  for (let pass = 0; pass < 4; pass += 1) {
    const board = world.seen();
    const evaluator = new IssueEvaluator(world.state, board, world.context());
    for (const seen of board) {
      expect(world.look([seen]).issues[0]?.decisions[0]).toEqual(evaluator.evaluate(seen).decision);
    }
    world.pass();
  }
});

test('evaluating an issue for which a worker is due does not take the slot: the next issue can use it', () => {
  const world = boardOf('Todo', 'Todo');
  world.limits = { ...world.limits, slots: { workers: 1, perMode: {} }, staggerMs: 5_000 };
  const evaluator = new IssueEvaluator(world.state, world.seen(), world.context());
  const decided = world.seen().map((seen) => evaluator.evaluate(seen).decision.action);
  expect(decided).toEqual(['dispatch_planner', 'dispatch_planner']);
});

test.each(['pause', 'halt'] as const)(
  'a %s of the legion does not reset the waiting time of a check',
  (kind) => {
    const world = new SmallWorld();
    world.add('A-1', { column: 'In Progress', labels: ['worker-done'] });
    world.unreadable.add('A-1');
    const evaluate = () => {
      world.pass();
      const [seen] = world.seen();
      return seen && new IssueEvaluator(world.state, world.seen(), world.context()).evaluate(seen);
    };
    const { checkWaitMs } = world.limits;
    expect(evaluate()?.decision.action).toBe('retry_pr_check');
    const since = world.state.issues.get('A-1')?.decision?.since;
    world.take({ type: 'breaker.opened', breaker: 1, kind, by: 'ada', why: 'maintenance' });
    world.now += checkWaitMs;
    expect(evaluate()).toMatchObject({
      decision: { action: 'skip' },
      withoutHold: { action: 'retry_pr_check', reason: 'waited_too_long' },
    });
    world.take({ type: 'breaker.closed', breaker: 1, by: 'ada' });
    expect(evaluate()?.decision.reason).toBe('waited_too_long');
    expect(world.state.issues.get('A-1')?.decision?.since).toBe(since);
  },
);

test('the start time of a pause that ended during a halt is not used for the next pause', () => {
  const world = new SmallWorld();
  world.add('A-1', { column: 'Todo', labels: ['legion-paused'] });
  world.pass();
  world.take({ type: 'breaker.opened', breaker: 1, kind: 'halt', by: 'ada', why: 'maintenance' });
  world.add('A-1', { column: 'Todo', labels: [] });
  world.pass();
  world.add('A-1', { column: 'Todo', labels: ['legion-paused'] });
  const { now } = world;
  world.pass();
  expect(world.state.issues.get('A-1')?.decision).toMatchObject({ reason: 'paused', since: now });
});

test('only the evaluator turns observations into decisions', () => {
  const modules = [...readSourceTree(join(import.meta.dirname, '../../..'), 'src')]
    .filter(([path]) => path.endsWith('.ts'))
    .map(([path, text]) => parseModule(path, text));
  expect(usersOf(modules, '/observation.ts', 'buildSignals')).toEqual(['src/core/state/evaluate.ts']);
  expect(usersOf(modules, '/decide.ts', 'decide')).toEqual(['src/core/state/evaluate.ts']);
});

function usersOf(modules: readonly SourceModule[], file: string, name: string): string[] {
  return modules
    .filter((module) =>
      listImports(module).some(({ specifier, names }) => specifier?.endsWith(file) && names?.includes(name)),
    )
    .map(({ path }) => path);
}

function boardOf(...columns: readonly string[]): SmallWorld {
  const world = new SmallWorld();
  for (const [index, column] of columns.entries()) world.add(`A-${index + 1}`, { column });
  return world;
}
