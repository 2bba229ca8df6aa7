/** The way of a worker's word: to the daemon that is there, else into the outbox. */
import { LegionError } from '../core/model/fault.ts';
import type { Mode } from '../domain/mode.ts';
import { KEPT_WHILE_AWAY, type VerbName } from '../protocol/verb.ts';
import type { SimDaemon } from './daemon.ts';
import type { SimProcess } from './host.ts';
import { never } from './mortal.ts';
import type { Letter } from './outboxes.ts';
import type { Said } from './worker.ts';
import type { Earth } from './world.ts';

/** As long as a worker waits for an answer. */
const ANSWER_MS = 30_000;

/** `present` is the daemon that answers at the legion's address. */
export async function say(
  earth: Earth,
  present: SimDaemon | undefined,
  process: SimProcess,
  verb: VerbName,
  input: object,
): Promise<Said> {
  const { env, worker, attempt } = process.order;
  const { LEGION_ISSUE: issue = '', LEGION_MODE: mode } = env;
  const who = { issue, mode: mode as Mode, attempt };
  const letter = { who, worker, verb, input, message: `${worker}/${attempt}/${earth.random.next()}` };
  const answered = present === undefined ? 'away' : await answerOf(earth, present, letter);
  if (answered !== 'away') {
    if (verb === 'done' && answered.durable === true) earth.rules.journal.acknowledged(worker, attempt);
    if (verb === 'done' || verb === 'error') earth.outboxes.flag(letter, earth.time.now());
    return answered;
  }
  if (!KEPT_WHILE_AWAY.includes(verb)) throw new LegionError('speech.daemon_away', 'nobody answers');
  earth.rules.struck('word kept in the outbox');
  earth.outboxes.keep(letter, earth.time.now());
  return { durable: true };
}

async function answerOf(
  { time }: Earth,
  { speech, life }: SimDaemon,
  { who, verb, input, message }: Letter,
): Promise<Said | 'away'> {
  const late = time.sleep(ANSWER_MS).then(() => 'away' as const);
  const heard = async () => {
    // The machine's kernel takes it, and the daemon finds it when it goes on.
    await life.frozen;
    try {
      return (await speech.say(who, verb, input, message)) as Said;
    } finally {
      await life.frozen;
      if (!life.isAlive) await never();
    }
  };
  return Promise.race([heard(), late]);
}
