/** `done` of an implementer runs the quality gate at the head, once for each commit, and is refused while it is red. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { workerId } from '../../../src/core/model/ids.ts';
import type { WorkerIdentity } from '../../../src/daemon/daemon.ts';
import { runQualityGate } from '../../../src/daemon/perform/run-quality-gate.ts';
import { judgeReport } from '../../../src/daemon/reports/judge-report.ts';
import { openSpeech } from '../../../src/daemon/speech/speech.ts';
import { evidenceOf } from '../../../src/daemon/supervisor/evidence.ts';
import type { World } from '../../../src/daemon/world.ts';
import { lifecycleOf } from '../../../src/domain/lifecycle.ts';
import { conditionOf } from '../../../src/health/condition.ts';
import { effectiveLabels } from '../../../src/swarm/effective-labels.ts';
import { eventually } from '../../ports/forge/eventually.ts';
import { refusal } from '../../ports/forge/refusal.ts';
import { openWorking, type Working } from './working.ts';

let working: Working;
beforeAll(async () => {
  working = await openWorking();
  useHandClock();
});

/** Whoever sleeps, sleeps until the test says so. */
const sleepers: (() => void)[] = [];

function useHandClock(): void {
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      expect(ms).toBeLessThanOrEqual(25_000);
      sleepers.push(resolve);
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  working.world = { ...working.world, clock: { ...working.world.clock, sleep } };
  working.speech = openSpeech(working.world);
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

/** A gate that runs until the test ends it, or the daemon does. */
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

/** An implementer whose work is committed, pushed and in a pull request. */
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

const stateOf = (who: WorkerIdentity) => lifecycleOf(working.worker(who).facts);
const gateOf = (who: WorkerIdentity) => working.record(who.issue).evidence.quality_gate;
const isMarkedDone = (who: WorkerIdentity) =>
  effectiveLabels([], working.world.ledger.swarm, who.issue).has('worker-done');

/** Ends the wait of `done`, once somebody waits for the gate. */
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

test('a report that waits for its gate is judged before the run and once after it', async () => {
  const who = await implementer();
  const { world, speech } = working;
  let reads = 0;
  const read: World['tracker']['read'] = (...given) => {
    reads += 1;
    return world.tracker.read(...given);
  };
  working.world = { ...world, tracker: { ...world.tracker, read } };
  working.speech = openSpeech(working.world);
  expect(await working.say(who, 'done', DONE)).toMatchObject({ accepted: true });
  Object.assign(working, { world, speech });
  expect(reads).toBe(2);
});

test('a green gate is recorded at the head before the report counts, and the way to Testing reuses it', async () => {
  const who = await implementer();
  expect(await working.say(who, 'done', DONE)).toMatchObject({ accepted: true });
  expect(gateOf(who)).toMatchObject({ sha: who.sha, verdict: 'passed', by: 'here' });
  const { signal } = new AbortController();
  const command = { kind: 'run_quality_gate', issue: who.issue, sha: who.sha } as const;
  expect(await runQualityGate(working.world, command, signal)).toMatchObject({ outcome: 'done' });
  expect(runs).toBe(1);
});

test('a red gate refuses the report with the end of its output; it is neither a crash nor a counted round', async () => {
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

test('what is missing otherwise is told first, without a run', async () => {
  const issue = await working.issue('In Progress');
  const who = await working.dispatch(issue, 'implement');
  expect(await working.say(who, 'done', DONE)).toMatchObject({ accepted: false });
  expect(runs).toBe(0);
});

test('a gate that takes longer than 25 s: the call is told to come again, and attaches to the same run', async () => {
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

test('a worker that waits for its gate is in a tool, and supervision leaves its report alone', async () => {
  const who = await implementer();
  const end = gateThatRuns();
  const said = refusal(working.say(who, 'done', DONE));
  await passWait(said);
  await said;
  expect(stateOf(who)).toBe('reporting');
  expect(await judgeReport(working.world, workerId(who.issue, who.mode))).toBe('unknown');
  expect(await conditionSeen(who, true)).toBe('in_tool');
  // Without its process, its durable report is what counts.
  expect(await conditionSeen(who, false)).toBe('reporting');
  end(PASSED);
  await eventually('acceptance', () => (stateOf(who) === 'finished' ? true : undefined));
});

/** What health makes of the worker, whose process is there or not. */
async function conditionSeen(who: WorkerIdentity, alive: boolean) {
  const none = { unavailable: 'not looked at' };
  const host = { observe: async () => ({ alive, exit: none, children: none, groupCpuMs: none }) };
  const agent = { session: async () => 'unavailable' };
  const world = { ...working.world, host, agentOf: () => ({ agent, use: {} }) } as unknown as World;
  const worker = { ...working.worker(who), process: { pid: 1, startTime: '1' } };
  const memory = { suspicion: { flagged: false }, questionsAsked: 0, personToldAt: 'never' } as const;
  const seen = await evidenceOf(world, worker, undefined, memory, { watchingSince: 0, clockSetAt: 0 });
  return conditionOf(seen);
}

test('a worker that does not call again loses nothing: green is accepted, red waits for it', async () => {
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

test('red after the worker has ended is left to the pipeline, which sends the work back', async () => {
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

test('a gate that could not run is not red: the report counts, and the pipeline pauses the issue', async () => {
  const who = await implementer();
  gateSays(async () => ({ verdict: 'could_not_run', why: 'it was ended after 10 ms', tail: '' }));
  expect(await working.say(who, 'done', DONE)).toMatchObject({ accepted: true });
  expect(gateOf(who)).toMatchObject({ verdict: 'could_not_run', sha: who.sha });
});

test('commits made while the gate runs void its result, and it runs again at the new head', async () => {
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

test('a report from an outbox is accepted at once; its gate runs on the way to Testing', async () => {
  const who = await implementer();
  expect(await working.speech.say(who, 'done', DONE, undefined, 'outbox')).toMatchObject({ accepted: true });
  expect([runs, gateOf(who)]).toEqual([0, undefined]);
});

test('neither a retro nor a repository without an approved gate runs one', async () => {
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

test('a daemon that ends during the gate tells the worker to try again; the next one runs it anew', async () => {
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
