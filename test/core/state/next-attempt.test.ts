import { describe, expect, test } from 'vitest';
import {
  type AgentChoice,
  type AgentsAtHand,
  chooseAgent,
  type Readiness,
} from '../../../src/swarm/choose-agent.ts';
import { SmallWorld } from './small-world.ts';

const CLAUDE = { agent: 'claude-code', model: 'opus' } as const;
const CODEX = { agent: 'codex' } as const;

function atHand(
  readiness: (choice: AgentChoice) => Readiness = () => 'ready',
  choices: readonly AgentChoice[] = [CLAUDE, CODEX],
): AgentsAtHand {
  return { choicesFor: () => choices, readinessOf: readiness };
}

/** An issue whose plan worker was dispatched with the first of these choices. */
function planning(agents: AgentsAtHand): SmallWorld {
  const world = new SmallWorld();
  world.agents = agents;
  world.add('A-1', { column: 'Todo', labels: ['chore'] });
  world.pass();
  return world;
}

const first = { issue: 'A-1', mode: 'plan', attempt: 1 } as const;
const worker = (world: SmallWorld) => world.swarm.workers.get('a-1-plan');
const chosen = (world: SmallWorld) =>
  chooseAgent(world.swarm, 'plan', { now: world.now, health: {}, agents: world.agents });

function refusedUntil(world: SmallWorld, until?: number): void {
  const wait = { type: 'attempt.waiting', ...first, wait: 1, for: 'quota' } as const;
  world.take({ ...wait, ...(until === undefined ? {} : { until }) });
}

describe('who works', () => {
  test('is the first choice, and the journal knows it', () => {
    const world = planning(atHand());
    expect(worker(world)).toMatchObject(CLAUDE);
    expect(world.performed.at(-1)).toMatchObject({ kind: 'spawn', ...CLAUDE });
  });

  test('is the fallback where the first choice cannot work', () => {
    const world = planning(atHand(({ agent }) => (agent === 'codex' ? 'ready' : { problem: 'no login.' })));
    expect(worker(world)).toMatchObject(CODEX);
  });

  test('is nobody where none can, and the reasons are told', () => {
    const world = planning(atHand(() => ({ problem: 'It is not installed.' })));
    expect(worker(world)).toBeUndefined();
    expect(world.swarm.issues.get('A-1')?.decision).toMatchObject({
      ...{ action: 'skip', reason: 'agent_not_ready' },
      evidence: expect.arrayContaining([
        'claude-code (opus): It is not installed.; codex: It is not installed.',
      ]),
    });
  });

  test('is nobody where the operator has chosen no agent', () => {
    const world = planning(atHand(() => 'ready', []));
    expect(worker(world)).toBeUndefined();
    expect(world.swarm.issues.get('A-1')?.decision).toMatchObject({
      action: 'skip',
      reason: 'agent_not_chosen',
    });
  });

  test('is nobody yet while that is being found out, although a fallback could', () => {
    const world = planning(atHand(({ agent }) => (agent === 'codex' ? 'ready' : 'unknown')));
    expect(worker(world)).toBeUndefined();
    expect(world.swarm.issues.get('A-1')?.decision).toMatchObject({ reason: 'agent_asked' });
  });
});

describe('a provider that refused one worker for lack of quota', () => {
  test('is not asked by others before its reset', () => {
    const world = planning(atHand(undefined, [CLAUDE]));
    const until = world.now + 600_000;
    refusedUntil(world, until);
    expect(chosen(world)).toMatchObject({ refusal: { reason: 'agent_limited' }, wakeAt: until });
    world.add('A-2', { column: 'Todo', labels: ['chore'] });
    world.pass();
    expect(world.swarm.workers.has('a-2-plan')).toBe(false);
    expect(world.look().wakeAt).toBe(until);
    world.now = until + 1;
    world.pass();
    expect(world.swarm.workers.get('a-2-plan')).toMatchObject(CLAUDE);
  });

  test('is asked again after a while where it named no time, and one that was misread', () => {
    const world = planning(atHand(undefined, [CLAUDE]));
    refusedUntil(world);
    expect(chosen(world)).toMatchObject({ wakeAt: expect.any(Number) });
    world.now += 3_600_000;
    expect(chosen(world)).toEqual({ choice: CLAUDE });
    world.take({ type: 'attempt.waiting', ...first, wait: 2, for: 'quota', until: world.now * 1_000_000 });
    world.now += 3_600_000;
    expect(chosen(world)).toEqual({ choice: CLAUDE });
  });

  test('is another one’s turn where there is a fallback', () => {
    const world = planning(atHand());
    refusedUntil(world, world.now + 600_000);
    expect(chosen(world)).toEqual({ choice: CODEX });
  });

  test('is asked again once a person lets its worker go on', () => {
    const world = planning(atHand(undefined, [CLAUDE]));
    refusedUntil(world, world.now + 600_000);
    world.take({ type: 'crashes.reset', issue: 'A-1', mode: 'plan', generation: 1, by: 'ada' });
    expect(chosen(world)).toEqual({ choice: CLAUDE });
  });
});

test('whoever goes on with another agent begins a session of its own, told what was done before', () => {
  const world = planning(atHand());
  refusedUntil(world, world.now + 600_000);
  world.take({ type: 'attempt.stopped', ...first, why: 'goes on with codex' });
  world.pass();
  expect(world.performed.at(-1)).toMatchObject({
    ...{ kind: 'spawn', attempt: 2, version: 1, purpose: 'crash', agent: 'codex' },
  });
  const before = worker(world)?.session;
  expect(worker(world)).toMatchObject({ agent: 'codex', version: 1 });
  world.take({ type: 'attempt.stopped', ...first, attempt: 2, why: 'by hand' });
  world.now += 3_600_000;
  world.pass();
  expect(worker(world)).toMatchObject({ agent: 'claude-code', version: 2 });
  expect(worker(world)?.session).not.toBe(before);
});
