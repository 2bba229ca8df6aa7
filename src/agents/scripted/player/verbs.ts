/** Plays the steps that call the daemon. */
import { LegionError } from '../../../core/model/fault.ts';
import type { VerbAnswer, VerbName } from '../../../protocol/verb.ts';
import type { VerbResult } from '../../../worker-client/worker-client.ts';
import type { VERB_STEPS } from '../scenario/steps.ts';
import type { ScriptedTurn, ScriptedTurnEnding, StepPerformers } from './turn.ts';

export const verbPerformers: StepPerformers<keyof typeof VERB_STEPS> = {
  issue: createVerbPerformer('issue'),
  status: createVerbPerformer('status'),
  checkpoint: createVerbPerformer('checkpoint'),
  handoff: createVerbPerformer('handoff_write'),
  handoff_read: createVerbPerformer('handoff_read'),
  comment: createVerbPerformer('comment'),
  message: createVerbPerformer('message'),
  split: createVerbPerformer('split'),
  push: createVerbPerformer('push'),
  pr_open: createVerbPerformer('pr_open'),
  pr_edit: createVerbPerformer('pr_edit'),
  pr_show: createVerbPerformer('pr_show'),
  ci: createVerbPerformer('ci'),
  pr_ready: createVerbPerformer('pr_ready'),
  verdict: createVerbPerformer('verdict'),
  review: createVerbPerformer('review'),
  plan_review: createVerbPerformer('plan_review'),
  merge: createVerbPerformer('merge'),
  error: createVerbPerformer('error'),
  async ask(input, turn) {
    turn.emit({ type: 'question', text: input.question });
    await sendVerb(turn, 'ask', input);
    return { code: 0 };
  },
  async done(input, turn): Promise<ScriptedTurnEnding | undefined> {
    const answer = await reportDone(turn, input);
    return answer === undefined
      ? undefined
      : { code: 1, again: answer.gate === 'red' ? 'quality_gate' : undefined };
  },
};

/**
 * If the daemon refuses the report, resolves to the reason. Resolves to undefined if the daemon
 * accepts the report or will judge it later.
 */
export async function reportDone(
  turn: ScriptedTurn,
  input: unknown,
): Promise<VerbAnswer<'done'> | undefined> {
  const result = await sendDone(turn, input);
  if (result.kept || result.answer.accepted !== false) return undefined;
  turn.emit({
    type: 'text',
    text: `done was not accepted: ${result.answer.missing ?? 'no reason was given'}`,
  });
  return result.answer;
}

/**
 * Repeats the call while the quality gate is running, as the daemon instructs; each call waits for
 * the gate.
 */
async function sendDone(turn: ScriptedTurn, input: unknown): Promise<VerbResult<'done'>> {
  for (;;) {
    try {
      return await sendVerb(turn, 'done', input);
    } catch (error) {
      if (!(error instanceof LegionError) || error.code !== 'worker.gate_running') throw error;
      turn.signal.throwIfAborted();
    }
  }
}

/** Calls the verb and writes the response to the transcript. */
export async function sendVerb<V extends VerbName>(
  turn: ScriptedTurn,
  verb: V,
  input: unknown,
): Promise<VerbResult<V>> {
  const result = await turn.send(verb, input);
  const answer = result.kept
    ? `the daemon is unreachable; the message is kept in ${result.file}`
    : 'says' in result.answer
      ? result.answer.says
      : 'read';
  turn.emit({ type: 'text', text: `${verb}: ${answer}` });
  return result;
}

function createVerbPerformer(verb: VerbName) {
  return async (input: unknown, turn: ScriptedTurn): Promise<void> => {
    await sendVerb(turn, verb, input);
  };
}
