/** What an agent may do instead of its work, or before it: some of it only looks like trouble. */
import type { VerbName } from '../protocol/verb.ts';
import type { SimProcess } from './host.ts';
import { never } from './mortal.ts';
import type { Rules } from './rules.ts';
import type { EarthOptions } from './world.ts';

export const MISDEEDS = [
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
export type Misdeed = (typeof MISDEEDS)[number];

/** The worker as far as a misdeed needs it. */
export interface Doer {
  readonly process: SimProcess;
  pause(leastMs: number, mostMs: number): Promise<void>;
  write(line: object): void;
  say(verb: VerbName, input: object): Promise<unknown>;
  end(code: number): Promise<void>;
}

type Circumstances = Pick<EarthOptions, 'time' | 'random' | 'rules'>;

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** Resolves where it goes on to its work afterwards. */
export async function misbehave(worker: Doer, misdeed: Misdeed, playing: Circumstances): Promise<void> {
  const { process } = worker;
  const { random, time, rules } = playing;
  switch (misdeed) {
    case 'crash':
      return worker.end(1);
    case 'leave without a word':
      return worker.end(0);
    case 'hang deaf':
      process.onTerm = () => undefined;
      process.isHealthy = false;
      return never();
    case 'hang':
      process.isHealthy = false;
      return never();
    case 'burn':
      process.isHealthy = false;
      process.busySince = time.elapsed;
      return never();
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
      runOut(worker, rules, time.now() + random.between(1, 90) * MINUTE_MS);
      return worker.end(1);
    case 'ask':
      await worker.say('ask', { question: 'Which of the two?' });
      worker.write({ kind: 'turn ended' });
      return worker.end(0);
    case 'lose its session':
      worker.write({ kind: 'error', message: 'there is no such session', session: 'unknown' });
      return worker.end(1);
    case 'take many turns':
      for (let round = 0; round < 3; round += 1) {
        await turns(worker, 2);
        await worker.say('checkpoint', { stage: `round ${round}` });
      }
      return;
    case 'go round in circles':
      await turns(worker, 3);
      process.isHealthy = false;
      return turns(worker, Number.POSITIVE_INFINITY);
    case 'give up':
      throw new Error('I cannot do this');
    case 'lie':
      return; // it goes on as if its work were done
  }
}

function runOut(worker: Doer, rules: Rules, resetAt: number): void {
  rules.workers.limited(worker.process, resetAt);
  worker.write({ kind: 'rate limited', resetAt });
  worker.write({ kind: 'turn ended' });
}

/** Words, and nothing to show for them. */
async function turns(worker: Doer, count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    await worker.pause(10 * SECOND_MS, 3 * MINUTE_MS);
    worker.write({ kind: 'text', text: 'I think about it.' });
    worker.write({ kind: 'turn ended' });
  }
}
