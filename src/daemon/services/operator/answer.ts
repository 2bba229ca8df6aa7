/**
 * Records a person's answer, then posts it on the issue. The loop relays the answer to the worker
 * that asked.
 */
import type { EventBody } from '../../../core/model/event.ts';
import { LegionError } from '../../../core/model/fault.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import { computeEffectiveLabels } from '../../../core/state/effective-labels.ts';
import { buildFeedbackEvent, listOpenQuestions } from '../../../core/state/issues.ts';
import { createIssueRecord } from '../../../core/state/state.ts';
import type { ActionAnswer, AnswerRequest } from '../../../protocol/operator.ts';
import { toFault } from '../../context/active-problems.ts';
import type { DaemonContext } from '../../context/daemon-context.ts';
import { describeReason } from '../../present/reason.ts';
import { evaluateIssue } from '../evaluate-issues.ts';
import { readIssue } from '../read-outside.ts';
import { postIssueComment } from './relabel.ts';

export async function answerIssue(
  context: DaemonContext,
  issue: IssueId,
  request: AnswerRequest,
): Promise<ActionAnswer> {
  const { labels } = await readIssue(context, issue);
  const effective = computeEffectiveLabels(labels, context.ledger.state, issue);
  const open = listOpenQuestions(context.ledger.state, issue, effective).map(({ question }) => question);
  const chosen = request.question ?? open.at(-1);
  if (chosen !== undefined && open.includes(chosen)) return answerQuestion(context, issue, chosen, request);
  if (chosen !== undefined || !effective.has('user-input-needed')) {
    const which = chosen === undefined ? '' : ` with number ${chosen}`;
    throw new LegionError('question.none_open', `${issue} has no open question${which}.`);
  }
  return answerLegion(context, issue, request);
}

/**
 * Answers a question that was open a moment ago. If a question gets two answers, the first one
 * applies.
 */
export async function answerQuestion(
  context: DaemonContext,
  issue: IssueId,
  question: number,
  { by, text }: AnswerRequest,
): Promise<ActionAnswer> {
  await context.ledger.append((state): EventBody[] => {
    const asked = state.issues.get(issue)?.questions[question];
    if (asked === undefined || asked.answer !== undefined)
      throw new LegionError(
        'question.none_open',
        `Question ${question} of ${issue} has already been answered.`,
      );
    return [{ type: 'question.answered', issue, question, by, text }, buildFeedbackEvent(state, issue)];
  });
  // The next step is described before the loop acts on the answer, because afterwards the decision
  // is about a later step.
  const next = await describeNext(context, issue);
  context.wake(issue);
  // The answer is already in the journal and will reach the worker. The comment is for people who
  // read the issue.
  const shown = await postIssueComment(context, issue, by, `${issue}:answer:${question}`, text).then(
    () => '',
    (error: unknown) => ` It could not be posted on the issue (${toFault(error).message}).`,
  );
  return {
    says: `Question ${question} of ${issue} is answered. ${next}${shown}`,
  };
}

/**
 * Answers a wait that was not caused by a worker's question. Only the comment contains this answer,
 * so the comment is posted first.
 */
async function answerLegion(
  context: DaemonContext,
  issue: IssueId,
  { by, text }: AnswerRequest,
): Promise<ActionAnswer> {
  const { lastOwed } = context.ledger.state.issues.get(issue) ?? createIssueRecord(issue);
  await postIssueComment(context, issue, by, `${issue}:answer:owed-${lastOwed + 1}`, text);
  await context.ledger.append((state) => [buildFeedbackEvent(state, issue)]);
  // The next step is described before the loop acts on the answer, because afterwards the decision
  // is about a later step.
  const next = await describeNext(context, issue);
  context.wake(issue);
  return { says: `Your answer on ${issue} is recorded. ${next}` };
}

/** Says whether the issue continues after the answer, so that the person does not wait in vain. */
async function describeNext(context: DaemonContext, issue: IssueId): Promise<string> {
  try {
    const { decision } = await evaluateIssue(context, issue);
    if (decision.action !== 'relay_user_feedback')
      return `It does not continue yet: ${describeReason(decision.reason)} See \`legion explain ${issue}\`.`;
    return context.settings().autoAdvance
      ? 'It continues.'
      : `auto_advance is off: run \`legion advance ${issue}\` to let its worker continue.`;
  } catch (error) {
    return `Legion could not determine whether it continues (${toFault(error).message}).`;
  }
}
