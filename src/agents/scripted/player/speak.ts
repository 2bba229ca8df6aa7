/** Plays the steps that speak to the daemon. */
import { LegionError } from '../../../core/model/fault.ts';
import type { VerbName } from '../../../protocol/verb.ts';
import type { VerbAnswer } from '../../../protocol/verb-answer.ts';
import type { Spoken } from '../../../speech/speaker.ts';
import type { SPEECH } from '../scenario/forms/speech.ts';
import type { Performers } from './performers.ts';
import type { Ending, Turn } from './turn.ts';

export const speech: Performers<keyof typeof SPEECH> = {
  issue: said('issue'),
  status: said('status'),
  checkpoint: said('checkpoint'),
  handoff: said('handoff_write'),
  handoff_read: said('handoff_read'),
  comment: said('comment'),
  message: said('message'),
  split: said('split'),
  push: said('push'),
  pr_open: said('pr_open'),
  pr_edit: said('pr_edit'),
  pr_show: said('pr_show'),
  ci: said('ci'),
  pr_ready: said('pr_ready'),
  verdict: said('verdict'),
  review: said('review'),
  plan_review: said('plan_review'),
  merge: said('merge'),
  error: said('error'),
  async ask(input, turn) {
    turn.emit({ type: 'question', text: input.question });
    await speakOf(turn, 'ask', input);
    return { code: 0 };
  },
  async done(input, turn): Promise<Ending | undefined> {
    const answer = await reportDone(turn, input);
    return answer === undefined
      ? undefined
      : { code: 1, again: answer.gate === 'red' ? 'quality_gate' : undefined };
  },
};

/** The answer where the daemon refuses; undefined where it takes the report, or will judge it later. */
export async function reportDone(turn: Turn, input: unknown): Promise<VerbAnswer<'done'> | undefined> {
  const spoken = await sayDone(turn, input);
  if (spoken.kept || spoken.answer.accepted !== false) return undefined;
  turn.emit({
    type: 'text',
    text: `done was not accepted: ${spoken.answer.missing ?? 'no reason was given'}`,
  });
  return spoken.answer;
}

/** As it is told to, it calls again while the quality gate runs; each call waits for the gate. */
async function sayDone(turn: Turn, input: unknown): Promise<Spoken<'done'>> {
  for (;;) {
    try {
      return await speakOf(turn, 'done', input);
    } catch (error) {
      if (!(error instanceof LegionError) || error.code !== 'worker.gate_running') throw error;
      turn.signal.throwIfAborted();
    }
  }
}

/** Says it and puts the answer into the transcript. */
export async function speakOf<V extends VerbName>(turn: Turn, verb: V, input: unknown): Promise<Spoken<V>> {
  const spoken = await turn.say(verb, input);
  const answer = spoken.kept
    ? `the daemon is away; kept in ${spoken.file}`
    : 'says' in spoken.answer
      ? spoken.answer.says
      : 'read';
  turn.emit({ type: 'text', text: `${verb}: ${answer}` });
  return spoken;
}

function said(verb: VerbName) {
  return async (input: unknown, turn: Turn): Promise<void> => {
    await speakOf(turn, verb, input);
  };
}
