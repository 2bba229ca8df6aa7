/** A person's answer: kept first, then shown on the issue, and the loop relays it to the worker that asked. */
import type { EventBody } from '../../../core/model/event.ts';
import { LegionError } from '../../../core/model/fault.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import { newIssueRecord, type Swarm } from '../../../core/state/state.ts';
import type { AnswerRequest, Said } from '../../../protocol/operator.ts';
import { effectiveLabels } from '../../../swarm/effective-labels.ts';
import { reasonInWords } from '../../present/reason.ts';
import { faultOf } from '../../troubles.ts';
import type { World } from '../../world.ts';
import { evaluateIssue } from '../evaluate-issues.ts';
import { readIssue } from '../read-outside.ts';
import { openQuestions } from './open-questions.ts';
import { sayOnIssue } from './say-on-issue.ts';

export async function answer(world: World, issue: IssueId, given: AnswerRequest): Promise<Said> {
  const { labels } = await readIssue(world, issue);
  const effective = effectiveLabels(labels, world.ledger.swarm, issue);
  const open = openQuestions(world.ledger.swarm, issue, effective).map(({ question }) => question);
  const chosen = given.question ?? open.at(-1);
  if (chosen !== undefined && open.includes(chosen)) return answerQuestion(world, issue, chosen, given);
  if (chosen !== undefined || !effective.has('user-input-needed')) {
    const which = chosen === undefined ? '' : ` of number ${chosen}`;
    throw new LegionError('question.none_open', `${issue} has no open question${which}`);
  }
  return answerLegion(world, issue, given);
}

/** Of a question that was open a moment ago; the first answer counts. */
export async function answerQuestion(
  world: World,
  issue: IssueId,
  question: number,
  { by, text }: AnswerRequest,
): Promise<Said> {
  await world.ledger.append((swarm): EventBody[] => {
    const asked = swarm.issues.get(issue)?.questions[question];
    if (asked === undefined || asked.answer !== undefined)
      throw new LegionError('question.none_open', `${issue}: question ${question} has been answered`);
    return [{ type: 'question.answered', issue, question, by, text }, feedbackOwed(swarm, issue)];
  });
  // Before the loop acts on the answer: afterwards the decision is about the next step.
  const next = await describeNext(world, issue);
  world.wake(issue);
  // The answer is safe and reaches the worker; the comment is for whoever reads the issue.
  const shown = await sayOnIssue(world, issue, by, `${issue}:answer:${question}`, text).then(
    () => '',
    (error: unknown) => ` It could not be posted on the issue: ${faultOf(error).message}.`,
  );
  return {
    says: `Question ${question} of ${issue} is answered. ${next}${shown}`,
  };
}

/** Where no worker asked, the comment is all that carries the text: it comes first. */
async function answerLegion(world: World, issue: IssueId, { by, text }: AnswerRequest): Promise<Said> {
  const { lastOwed } = world.ledger.swarm.issues.get(issue) ?? newIssueRecord(issue);
  await sayOnIssue(world, issue, by, `${issue}:answer:owed-${lastOwed + 1}`, text);
  await world.ledger.append((swarm) => [feedbackOwed(swarm, issue)]);
  // Before the loop acts on the answer: afterwards the decision is about the next step.
  const next = await describeNext(world, issue);
  world.wake(issue);
  return { says: `${issue} is answered. ${next}` };
}

/** Whether the answer sets anything in motion: a person who believes it does would wait in vain. */
async function describeNext(world: World, issue: IssueId): Promise<string> {
  try {
    const { decision } = await evaluateIssue(world, issue);
    if (decision.action !== 'relay_user_feedback')
      return `It does not continue yet: ${reasonInWords(decision.reason)} See \`legion explain ${issue}\`.`;
    return world.settings().autoAdvance
      ? 'It continues.'
      : `auto_advance is off: run \`legion advance ${issue}\` to let its worker continue.`;
  } catch (error) {
    return `Whether it continues could not be read: ${faultOf(error).message}.`;
  }
}

/** Both marks: without the first, which somebody may have taken off, the answer would never be relayed. */
export function feedbackOwed(swarm: Swarm, issue: IssueId): EventBody {
  const { lastOwed } = swarm.issues.get(issue) ?? newIssueRecord(issue);
  const add: ('user-input-needed' | 'user-feedback-given')[] = ['user-input-needed', 'user-feedback-given'];
  return { type: 'labels.owed', issue, revision: lastOwed + 1, add, remove: [] };
}
