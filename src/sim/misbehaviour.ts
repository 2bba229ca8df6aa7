/**
 * Simulates agents that misbehave before their work or instead of it. Some misbehaviour only looks
 * like a problem.
 */
import type { VerbName } from '../protocol/verb.ts';
import type { SimProcess } from './host.ts';
import type { SimulationRules } from './rules.ts';
import { waitForever } from './unreliable-ports.ts';
import type { SimWorldOptions } from './world.ts';

export const MISBEHAVIOURS = [
  'crash',
  'leave without a word',
  'hang',
  'hang deaf',
  'burn',
  'lie',
  'run into the rate limit',
  'ask',
  'think long',
  'use a slow tool',
  'give up',
  'lose its session',
  'take many turns',
  'go round in circles',
] as const;
export type AgentMisbehaviour = (typeof MISBEHAVIOURS)[number];

/** The parts of a worker that the simulated misbehaviour uses. */
export interface MisbehavingWorker {
  readonly process: SimProcess;
  pause(minMs: number, maxMs: number): Promise<void>;
  write(line: object): void;
  say(verb: VerbName, input: object): Promise<unknown>;
  end(code: number): Promise<void>;
}

type MisbehaviourContext = Pick<SimWorldOptions, 'time' | 'random' | 'rules'>;

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** Resolves if the agent continues with its work afterwards. */
export async function runMisbehaviour(
  worker: MisbehavingWorker,
  misbehaviour: AgentMisbehaviour,
  context: MisbehaviourContext,
): Promise<void> {
  const { process } = worker;
  const { random, time, rules } = context;
  switch (misbehaviour) {
    case 'crash':
      return worker.end(1);
    case 'leave without a word':
      return worker.end(0);
    case 'hang deaf':
      process.onTerm = () => undefined;
      process.isHealthy = false;
      return waitForever();
    case 'hang':
      process.isHealthy = false;
      return waitForever();
    case 'burn':
      process.isHealthy = false;
      process.busySince = time.elapsed;
      return waitForever();
    case 'think long':
      process.busySince = time.elapsed;
      await worker.pause(11 * MINUTE_MS, 25 * MINUTE_MS);
      process.cpuMs += time.elapsed - (process.busySince ?? time.elapsed);
      process.busySince = undefined;
      return;
    case 'use a slow tool':
      worker.write({ kind: 'tool started', tool: 'Bash', id: 't1' });
      await worker.pause(MINUTE_MS, 100 * MINUTE_MS);
      worker.write({ kind: 'tool ended', id: 't1', failed: false });
      return;
    case 'run into the rate limit':
      reportRateLimit(worker, rules, time.now() + random.between(1, 90) * MINUTE_MS);
      return worker.end(1);
    case 'ask':
      await worker.say('ask', { question: 'Which of the two?' });
      worker.write({ kind: 'turn ended' });
      return worker.end(0);
    case 'lose its session':
      worker.write({ kind: 'error', message: 'unknown session', session: 'unknown' });
      return worker.end(1);
    case 'take many turns':
      for (let round = 0; round < 3; round += 1) {
        await runIdleTurns(worker, 2);
        await worker.say('checkpoint', { stage: `round ${round}` });
      }
      return;
    case 'go round in circles':
      await runIdleTurns(worker, 3);
      process.isHealthy = false;
      return runIdleTurns(worker, Number.POSITIVE_INFINITY);
    case 'give up':
      throw new Error('I cannot do this');
    case 'lie':
      return; // The agent reports its work as done.
  }
}

function reportRateLimit(worker: MisbehavingWorker, rules: SimulationRules, resetAt: number): void {
  rules.workers.limited(worker.process, resetAt);
  worker.write({ kind: 'rate limited', resetAt });
  worker.write({ kind: 'turn ended' });
}

/** Writes text without making progress. */
async function runIdleTurns(worker: MisbehavingWorker, count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    await worker.pause(10 * SECOND_MS, 3 * MINUTE_MS);
    worker.write({ kind: 'text', text: 'I am thinking about it.' });
    worker.write({ kind: 'turn ended' });
  }
}
