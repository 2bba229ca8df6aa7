/** `ask`: a question to a person, the wait for the answer, and the mark that shows it, in one append. */

import type { IssueRecord } from '../../../core/state/state.ts';
import { lifecycleOf } from '../../../domain/lifecycle.ts';
import type { Mode } from '../../../domain/mode.ts';
import { appendAs } from '../fence.ts';
import type { Saying } from '../saying.ts';

/** A question that is open already is asked once, also by the attempt after the one that asked it first. */
export const ask: Saying<'ask'> = async (world, who, { question: text }) => {
  const { issue, mode, attempt } = who;
  let question = 0;
  await appendAs(world, who, ({ worker, record }) => {
    const known = openQuestion(record, mode, text);
    question = known ?? record.lastQuestion + 1;
    if (known !== undefined && lifecycleOf(worker.facts) === 'waiting-user') return [];
    return [
      ...(known === undefined
        ? [{ type: 'question.asked', issue, mode, attempt, question, text } as const]
        : []),
      { type: 'attempt.waiting', issue, mode, attempt, wait: worker.lastWait + 1, for: 'user' },
      { type: 'labels.owed', issue, revision: record.lastOwed + 1, add: ['user-input-needed'], remove: [] },
    ];
  });
  world.wake(issue);
  const says = `Question ${question} is before a person. End your turn now: the answer begins your next one.`;
  return { question, says };
};

function openQuestion({ questions }: IssueRecord, mode: Mode, text: string): number | undefined {
  const found = Object.entries(questions).find(
    ([, asked]) => asked.mode === mode && asked.text === text && asked.answer === undefined,
  );
  return found === undefined ? undefined : Number(found[0]);
}
