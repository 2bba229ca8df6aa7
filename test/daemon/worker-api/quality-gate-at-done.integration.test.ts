/**
 * Checks that an implementer's `done` runs the quality gate at the head, once per commit, and is
 * refused while the gate is red.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { judgeCondition } from '../../../src/core/health/condition.ts';
import type { WorkerIdentity } from '../../../src/core/model/ids.ts';
import { toWorkerId } from '../../../src/core/model/ids.ts';
import { toLifecycleState } from '../../../src/core/model/lifecycle.ts';
import { computeEffectiveLabels } from '../../../src/core/state/effective-labels.ts';
import { runQualityGate } from '../../../src/daemon/commands/perform.ts';
import type { DaemonContext } from '../../../src/daemon/context/daemon-context.ts';
import { judgeReport } from '../../../src/daemon/reports/judge-report.ts';
import { collectHealthEvidence } from '../../../src/daemon/supervisor/evidence.ts';
import { createWorkerApi } from '../../../src/daemon/worker-api/worker-api.ts';
import { eventually } from '../../ports/forge/eventually.ts';
import { refusal } from '../../ports/forge/refusal.ts';
import { openWorking, type Working } from './working.ts';

let working: Working;
beforeAll(async () => {
  working = await openWorking();
  useHandClock();
});

/** Functions that end pending sleeps. A sleep ends only when the test calls its function. */
const sleepers: (() => void)[] = [];

function useHandClock(): void {
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      expect(ms).toBeLessThanOrEqual(25_000);
      sleepers.push(resolve);
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  working.world = { ...working.world, clock: { ...working.world.clock, sleep } };
  working.speech = createWorkerApi(working.world);
}

afterAll(() => working.close());

type Result = Awaited<ReturnType<Working['gate']>>;

const PASSED: Result = { verdict: 'passed', why: 'it ended with 0', tail: '' };
const RED: Result = { verdict: 'failed', why: 'it ended with 1', tail: 'lint: 3 errors\n' };
const DONE = { summary: 'npm run check passes' };

let runs = 0;
beforeEach(() => {
  runs = 0;
  gateSays(async () => PASSED);
});

function gateSays(gate: Working['gate']): void {
  working.gate = (signal) => {
    runs += 1;
    return gate(signal);
  };
}

/** Installs a gate that runs until the test or the daemon ends it. */
function gateThatRuns(): (result: Result) => void {
  const { promise, resolve } = Promise.withResolvers<Result>();
  gateSays(
    (signal) =>
      new Promise((end) => {
        void promise.then(end);
        signal.addEventListener('abort', () => end({ verdict: 'could_not_run', why: 'ended', tail: '' }));
      }),
  );
  return resolve;
}

/** Creates an implementer whose work is committed, pushed and in a pull request. */
async function implementer(): Promise<WorkerIdentity & { readonly sha: string }> {
  const issue = await working.issue('In Progress');
  const who = await working.dispatch(issue, 'implement');
  return { ...who, sha: await commit(who, 'work') };
}

async function commit(who: WorkerIdentity, text: string): Promise<string> {
  const sha = await working.commit(who.issue, { [`${who.issue}.txt`]: text });
  await working.say(who, 'push');
  await working.say(who, 'pr_open', { title: 'Work', body: 'What was done.' });
  return sha;
}

const stateOf = (who: WorkerIdentity) => toLifecycleState(working.worker(who).facts);
const gateOf = (who: WorkerIdentity) => working.record(who.issue).evidence.quality_gate;
const isMarkedDone = (who: WorkerIdentity) =>
  computeEffectiveLabels([], working.world.ledger.state, who.issue).has('worker-done');

/** Waits until the gate is running, then ends the waiting time of `done`. */
async function passWait(said: Promise<unknown>): Promise<void> {
  await eventually('a run', () => (runs > 0 ? true : undefined));
  let isOver = false;
  void said.finally(() => {
    isOver = true;
  });
  await eventually('an answer', () => {
    for (const wake of sleepers.splice(0)) wake();
    return isOver ? true : undefined;
  });
}

test('judges a report once before its quality gate runs and once after it', async () => {
  const who = await implementer();
  const { world: context, speech } = working;
  let reads = 0;
  const read: DaemonContext['tracker']['read'] = (...given) => {
    reads += 1;
    return context.tracker.read(...given);
  };
  working.world = { ...context, tracker: { ...context.tracker, read } };
  working.speech = createWorkerApi(working.world);
  expect(await working.say(who, 'done', DONE)).toMatchObject({ accepted: true });
  Object.assign(working, { world: context, speech });
  expect(reads).toBe(2);
});

test('records a green gate at the head before it accepts the report, and the move to Testing reuses the result', async () => {
  const who = await implementer();
  expect(await working.say(who, 'done', DONE)).toMatchObject({ accepted: true });
  expect(gateOf(who)).toMatchObject({ sha: who.sha, verdict: 'passed', by: 'here' });
  const { signal } = new AbortController();
  const command = { kind: 'run_quality_gate', issue: who.issue, sha: who.sha } as const;
  expect(await runQualityGate(working.world, command, signal)).toMatchObject({ outcome: 'done' });
  expect(runs).toBe(1);
});

test("if the gate is red, the report is refused with the end of the gate's output, and neither a crash nor a round is counted", async () => {
  const who = await implementer();
  gateSays(async () => RED);
  for (const _ of ['first', 'again']) {
    const answer = await working.say(who, 'done', DONE);
    expect(answer).toMatchObject({ durable: true, accepted: false, gate: 'red' });
    expect(answer.missing).toContain('lint: 3 errors');
    expect(stateOf(who)).toBe('executing');
  }
  expect(runs).toBe(1);
  expect(isMarkedDone(who)).toBe(false);
  expect(working.worker(who).failedLives).toEqual([]);
  expect(working.record(who.issue).rounds).toEqual({});
  const sha = await commit(who, 'mended');
  gateSays(async () => PASSED);
  expect(await working.say(who, 'done', DONE)).toMatchObject({ accepted: true });
  expect(gateOf(who)).toMatchObject({ sha, verdict: 'passed' });
});

test('reports other missing evidence first, without running the gate', async () => {
  const issue = await working.issue('In Progress');
  const who = await working.dispatch(issue, 'implement');
  expect(await working.say(who, 'done', DONE)).toMatchObject({ accepted: false });
  expect(runs).toBe(0);
});

test('after 25 s, asks the worker to call again, and the second call attaches to the same run', async () => {
  const who = await implementer();
  const end = gateThatRuns();
  for (const _ of ['first', 'again']) {
    const said = refusal(working.say(who, 'done', DONE));
    await passWait(said);
    expect(await said).toMatchObject({ code: 'worker.gate_running', retryable: true });
  }
  expect(runs).toBe(1);
  const said = working.say(who, 'done', DONE);
  end(PASSED);
  expect(await said).toMatchObject({ accepted: true });
  expect(runs).toBe(1);
});

test('a worker that waits for its gate is treated as running a tool, and supervision does not act on its report', async () => {
  const who = await implementer();
  const end = gateThatRuns();
  const said = refusal(working.say(who, 'done', DONE));
  await passWait(said);
  await said;
  expect(stateOf(who)).toBe('reporting');
  expect(await judgeReport(working.world, toWorkerId(who.issue, who.mode))).toBe('unknown');
  expect(await conditionSeen(who, true)).toBe('in_tool');
  // If the process is gone, the worker's condition depends on its stored report.
  expect(await conditionSeen(who, false)).toBe('reporting');
  end(PASSED);
  await eventually('acceptance', () => (stateOf(who) === 'finished' ? true : undefined));
});

/** Returns the worker's health condition with its process alive or gone. */
async function conditionSeen(who: WorkerIdentity, alive: boolean) {
  const none = { unavailable: 'not looked at' };
  const host = { observe: async () => ({ alive, exit: none, children: none, groupCpuMs: none }) };
  const agent = { session: async () => 'unavailable' };
  const context = { ...working.world, host, agentOf: () => ({ agent, use: {} }) } as unknown as DaemonContext;
  const worker = { ...working.worker(who), process: { pid: 1, startTime: '1' } };
  const memory = { suspicion: { flagged: false }, questionsAsked: 0, personToldAt: 'never' } as const;
  const seen = await collectHealthEvidence(context, worker, undefined, memory, {
    watchingSince: 0,
    clockSetAt: 0,
  });
  return judgeCondition(seen);
}

test('loses nothing if the worker does not call again: the report is accepted if the gate is green, and the worker continues if the gate is red', async () => {
  for (const [result, state] of [
    [PASSED, 'finished'],
    [RED, 'executing'],
  ] as const) {
    const who = await implementer();
    const end = gateThatRuns();
    runs = 0;
    const said = refusal(working.say(who, 'done', DONE));
    await passWait(said);
    end(result);
    await eventually(state, () => (stateOf(who) === state ? true : undefined));
    expect(isMarkedDone(who)).toBe(result === PASSED);
  }
});

test('if the gate turns red after the worker has exited, leaves the report to the pipeline, which sends the work back', async () => {
  const who = await implementer();
  const end = gateThatRuns();
  const said = refusal(working.say(who, 'done', DONE));
  await passWait(said);
  const { issue, mode, attempt } = who;
  await working.world.ledger.append([
    { type: 'attempt.exited', issue, mode, attempt, code: 0, signal: null },
  ]);
  end(RED);
  await eventually('acceptance', () => (stateOf(who) === 'finished' ? true : undefined));
  expect(gateOf(who)).toMatchObject({ verdict: 'failed', sha: who.sha });
});

test('a gate that could not run does not count as red: the report is accepted, and the pipeline pauses the issue', async () => {
  const who = await implementer();
  gateSays(async () => ({ verdict: 'could_not_run', why: 'it was ended after 10 ms', tail: '' }));
  expect(await working.say(who, 'done', DONE)).toMatchObject({ accepted: true });
  expect(gateOf(who)).toMatchObject({ verdict: 'could_not_run', sha: who.sha });
});

test('commits made while the gate is running void its result, and the gate runs again at the new head', async () => {
  const who = await implementer();
  const end = gateThatRuns();
  const said = working.say(who, 'done', DONE);
  await eventually('a run', () => (runs > 0 ? true : undefined));
  const sha = await commit(who, 'more');
  gateSays(async () => PASSED);
  end(RED);
  expect(await said).toMatchObject({ accepted: true });
  expect(gateOf(who)).toMatchObject({ sha, verdict: 'passed' });
});

test('immediately accepts a report from an outbox, and runs the gate when the issue moves to Testing', async () => {
  const who = await implementer();
  expect(await working.speech.handleVerb(who, 'done', DONE, undefined, 'outbox')).toMatchObject({
    accepted: true,
  });
  expect([runs, gateOf(who)]).toEqual([0, undefined]);
});

test('runs no gate for a retro report or for a repository without an approved gate', async () => {
  const issue = await working.issue('Retro');
  const who = await working.dispatch(issue, 'implement');
  await commit(who, 'work');
  await working.say(who, 'handoff_write', { summary: 'Learnt.' });
  expect(await working.say(who, 'done', DONE)).toMatchObject({ accepted: true });
  const other = await implementer();
  const { policy } = working;
  working.policy = { ...policy, qualityGate: 'none' };
  try {
    expect(await working.say(other, 'done', DONE)).toMatchObject({ accepted: true });
  } finally {
    working.policy = policy;
  }
  expect(runs).toBe(0);
});

test('a daemon that stops while the gate is running asks the worker to retry, and the next daemon runs the gate again', async () => {
  const who = await implementer();
  gateThatRuns();
  const said = refusal(working.say(who, 'done', DONE));
  await eventually('a run', () => (runs > 0 ? true : undefined));
  await working.restart();
  useHandClock();
  expect(await said).toMatchObject({ code: 'daemon.stopping' });
  expect(gateOf(who)).toBeUndefined();
  expect(stateOf(who)).toBe('reporting');
  gateSays(async () => RED);
  expect(await working.say(who, 'done', DONE)).toMatchObject({ accepted: false });
  expect(gateOf(who)).toMatchObject({ verdict: 'failed' });
});
