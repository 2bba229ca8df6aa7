import { describe, expect, test } from 'vitest';
import type { AgentChoice, AvailableAgents, ReadinessState } from '../../../src/core/model/agent-choice.ts';
import { toWorkerId } from '../../../src/core/model/ids.ts';
import { toLifecycleState } from '../../../src/core/model/lifecycle.ts';
import { chooseAgent } from '../../../src/core/state/next-attempt.ts';
import { SmallWorld } from './small-world.ts';

const CLAUDE = { agent: 'claude-code', model: 'opus' } as const;
const CODEX = { agent: 'codex' } as const;

function atHand(
  readiness: (choice: AgentChoice) => ReadinessState = () => 'ready',
  choices: readonly AgentChoice[] = [CLAUDE, CODEX],
): AvailableAgents {
  return { choicesFor: () => choices, readinessOf: readiness };
}

/** Creates an issue whose plan worker was dispatched with the first of these agents. */
function planning(agents: AvailableAgents): SmallWorld {
  const world = new SmallWorld();
  world.agents = agents;
  world.add('A-1', { column: 'Todo', labels: ['chore'] });
  world.pass();
  return world;
}

const first = { issue: 'A-1', mode: 'plan', attempt: 1 } as const;
const worker = (world: SmallWorld) => world.state.workers.get('a-1-plan');
const chosen = (world: SmallWorld) =>
  chooseAgent(world.state, 'plan', { now: world.now, health: {}, agents: world.agents });

function refusedUntil(world: SmallWorld, until?: number): void {
  const wait = { type: 'attempt.waiting', ...first, wait: 1, for: 'quota' } as const;
  world.take({ ...wait, ...(until === undefined ? {} : { until }) });
}

describe('the agent choice', () => {
  test('uses the first choice and records it in the journal', () => {
    const world = planning(atHand());
    expect(worker(world)).toMatchObject(CLAUDE);
    expect(world.performed.at(-1)).toMatchObject({ kind: 'spawn', ...CLAUDE });
  });

  test('uses the fallback if the first choice is not ready', () => {
    const world = planning(atHand(({ agent }) => (agent === 'codex' ? 'ready' : { problem: 'no login.' })));
    expect(worker(world)).toMatchObject(CODEX);
  });

  test('starts no worker and gives the reasons if no agent is ready', () => {
    const world = planning(atHand(() => ({ problem: 'It is not installed.' })));
    expect(worker(world)).toBeUndefined();
    expect(world.state.issues.get('A-1')?.decision).toMatchObject({
      action: 'skip',
      reason: 'agent_not_ready',
      evidence: expect.arrayContaining([
        'claude-code (opus): It is not installed.; codex: It is not installed.',
      ]),
    });
  });

  test('starts no worker if the operator has chosen no agent', () => {
    const world = planning(atHand(() => 'ready', []));
    expect(worker(world)).toBeUndefined();
    expect(world.state.issues.get('A-1')?.decision).toMatchObject({
      action: 'skip',
      reason: 'agent_not_chosen',
    });
  });

  test('waits until the first choice is checked, even if a fallback is ready', () => {
    const world = planning(atHand(({ agent }) => (agent === 'codex' ? 'ready' : 'unknown')));
    expect(worker(world)).toBeUndefined();
    expect(world.state.issues.get('A-1')?.decision).toMatchObject({ reason: 'agent_asked' });
  });
});

describe('a provider that refused a worker for lack of quota', () => {
  test('is not used by other workers before its reset', () => {
    const world = planning(atHand(undefined, [CLAUDE]));
    const until = world.now + 600_000;
    refusedUntil(world, until);
    expect(chosen(world)).toMatchObject({ refusal: { reason: 'agent_limited' }, wakeAt: until });
    world.add('A-2', { column: 'Todo', labels: ['chore'] });
    world.pass();
    expect(world.state.workers.has('a-2-plan')).toBe(false);
    expect(world.look().wakeAt).toBe(until);
    world.now = until + 1;
    world.pass();
    expect(world.state.workers.get('a-2-plan')).toMatchObject(CLAUDE);
  });

  test('is used again after a while if its reset time is missing or implausible', () => {
    const world = planning(atHand(undefined, [CLAUDE]));
    refusedUntil(world);
    expect(chosen(world)).toMatchObject({ wakeAt: expect.any(Number) });
    world.now += 3_600_000;
    expect(chosen(world)).toEqual({ choice: CLAUDE });
    world.take({ type: 'attempt.waiting', ...first, wait: 2, for: 'quota', until: world.now * 1_000_000 });
    world.now += 3_600_000;
    expect(chosen(world)).toEqual({ choice: CLAUDE });
  });

  test('is replaced by a fallback', () => {
    const world = planning(atHand());
    refusedUntil(world, world.now + 600_000);
    expect(chosen(world)).toEqual({ choice: CODEX });
  });

  test('is used again once a person resumes the worker it refused', () => {
    const world = planning(atHand(undefined, [CLAUDE]));
    refusedUntil(world, world.now + 600_000);
    world.take({ type: 'crashes.reset', issue: 'A-1', mode: 'plan', generation: 1, by: 'ada' });
    expect(chosen(world)).toEqual({ choice: CLAUDE });
  });
});

test('a switch to another agent starts a new session with a summary of the previous work', () => {
  const world = planning(atHand());
  refusedUntil(world, world.now + 600_000);
  world.take({ type: 'attempt.stopped', ...first, why: 'continues with codex' });
  world.pass();
  expect(world.performed.at(-1)).toMatchObject({
    kind: 'spawn',
    attempt: 2,
    version: 1,
    purpose: 'crash',
    agent: 'codex',
  });
  const before = worker(world)?.session;
  expect(worker(world)).toMatchObject({ agent: 'codex', version: 1 });
  world.take({ type: 'attempt.stopped', ...first, attempt: 2, why: 'by hand' });
  world.now += 3_600_000;
  world.pass();
  expect(worker(world)).toMatchObject({ agent: 'claude-code', version: 2 });
  expect(worker(world)?.session).not.toBe(before);
});

const identity = { issue: 'A-1', mode: 'plan' } as const;

describe('a failed worker', () => {
  test('restarts with the crash prompt after the backoff, and the pass returns the wake-up time', () => {
    const world = startPlanning();
    world.take({ type: 'attempt.crashed', ...identity, attempt: 1, evidence: ['process gone', 'no report'] });
    const { issues, wakeAt } = world.pass();
    expect(issues[0]?.decisions.at(-1)).toMatchObject({ action: 'skip', reason: 'respawn_wait' });
    expect(wakeAt).toBe(2_000 + 10_000);
    world.now = 12_000;
    world.pass();
    expect(spawns(world)).toMatchObject([
      { attempt: 1, purpose: 'start' },
      { attempt: 2, purpose: 'crash' },
    ]);
  });

  test('is stopped before it is replaced if its process may still be running', () => {
    const world = startPlanning();
    world.take({ type: 'attempt.spawned', ...identity, attempt: 1, pid: 42, startTime: '7' });
    world.take({ type: 'attempt.crashed', ...identity, attempt: 1, evidence: ['silent', 'no CPU'] });
    world.now = 60_000;
    world.pass();
    expect(spawns(world)).toHaveLength(1);
    expect(world.performed.at(-1)).toMatchObject({ kind: 'stop', issue: 'A-1', mode: 'plan', attempt: 1 });
    world.take({ type: 'attempt.exited', ...identity, attempt: 1, code: null, signal: 'SIGTERM' });
    world.pass();
    expect(spawns(world)).toHaveLength(2);
  });

  test('is replaced even if its process remains as a zombie', () => {
    const world = startPlanning();
    world.take({ type: 'attempt.spawned', ...identity, attempt: 1, pid: 42, startTime: '7' });
    world.take({ type: 'attempt.crashed', ...identity, attempt: 1, evidence: ['silent', 'no CPU'] });
    world.take({ type: 'attempt.zombie', ...identity, attempt: 1, pid: 42 });
    world.now = 60_000;
    world.pass();
    expect(spawns(world)).toHaveLength(2);
  });

  test('is paused after its second crash, with one notification', () => {
    const world = startPlanning();
    for (const attempt of [1, 2]) {
      world.take({ type: 'attempt.crashed', ...identity, attempt, evidence: ['process gone', 'no report'] });
      world.now += 60_000;
      world.pass();
    }
    world.pass();
    expect(world.issues.get('A-1')?.labels).toContain('legion-paused');
    expect(stateOf(world)).toBe('paused');
    expect(spawns(world)).toHaveLength(2);
    expect(world.performed.filter(({ kind }) => kind === 'escalate')).toHaveLength(1);
  });

  test('is reported again if it is resumed and fails the same way', () => {
    const world = startPlanning();
    const fail = (attempt: number) => {
      world.take({ type: 'attempt.crashed', ...identity, attempt, evidence: ['process gone', 'no report'] });
      world.now += 60_000;
      world.pass();
    };
    for (const attempt of [1, 2]) fail(attempt);
    world.take({ type: 'rounds.reset', issue: 'A-1', generation: 1, by: 'ada' });
    world.take({ type: 'crashes.reset', ...identity, generation: 1, by: 'ada' });
    world.add('A-1', { column: 'Todo', labels: [] });
    world.pass();
    for (const attempt of [3, 4]) fail(attempt);
    const told = world.performed.flatMap((command) => (command.kind === 'escalate' ? [command.key] : []));
    expect(new Set(told).size).toBe(2);
  });

  test('may start again after a person resets the crash count and unpauses the issue', () => {
    const world = startPlanning();
    for (const attempt of [1, 2]) {
      world.take({ type: 'attempt.crashed', ...identity, attempt, evidence: ['process gone', 'no report'] });
      world.now += 60_000;
      world.pass();
    }
    world.take({ type: 'crashes.reset', ...identity, generation: 1, by: 'ada' });
    world.add('A-1', { column: 'Todo', labels: [] });
    world.pass();
    expect(spawns(world).at(-1)).toMatchObject({ attempt: 3 });
  });

  test('is not restarted endlessly when it keeps reporting errors', () => {
    const world = startPlanning();
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      world.take({
        type: 'attempt.reported',
        ...identity,
        attempt,
        report: 1,
        outcome: 'error',
        summary: 'no access',
      });
      world.take({ type: 'attempt.report_accepted', ...identity, attempt, report: 1 });
      world.now += 60_000;
      world.pass();
    }
    expect(spawns(world)).toHaveLength(2);
    expect(world.issues.get('A-1')?.labels).toContain('legion-paused');
  });
});

function startPlanning(): SmallWorld {
  const world = new SmallWorld();
  world.add('A-1', { column: 'Todo' });
  world.pass();
  return world;
}

function spawns({ performed }: SmallWorld) {
  return performed.filter((command) => command.kind === 'spawn');
}

function stateOf({ state }: SmallWorld) {
  const worker = state.workers.get(toWorkerId('A-1', 'plan'));
  return worker && toLifecycleState(worker.facts);
}
