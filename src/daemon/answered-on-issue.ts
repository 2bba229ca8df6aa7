/** A person who answers on the issue itself, where the board is not ours, has answered: nobody has to set a label as well. */
import type { EventBody } from '../core/model/event.ts';
import type { SeenIssue } from '../core/state/observation.ts';
import type { Swarm } from '../core/state/state.ts';
import type { Issue } from '../domain/issue.ts';
import { effectiveLabels } from '../swarm/effective-labels.ts';
import { feedbackOwed } from './desks/operator/answer.ts';
import { openQuestions } from './desks/operator/open-questions.ts';

type Labelled = Pick<Issue, 'id' | 'labels'>;

/** Other boards tell time in whole seconds: what was said in the very second of the question counts. */
const SECOND_MS = 1_000;

/** Since the oldest question that is open, or since Legion itself turned to a person; undefined where nobody is waited for. */
export function waitsForWordSince(swarm: Swarm, issue: Labelled): number | undefined {
  const labels = effectiveLabels(issue.labels, swarm, issue.id);
  if (!labels.has('user-input-needed') || labels.has('user-feedback-given')) return undefined;
  const [oldest] = openQuestions(swarm, issue.id, labels);
  const decision = swarm.issues.get(issue.id)?.decision;
  const since = oldest?.askedAt ?? (decision?.reason === 'waits_for_answer' ? decision.since : undefined);
  return since === undefined ? undefined : since - (since % SECOND_MS);
}

/** Asked again at the moment of writing: a command may have answered meanwhile. */
export function answeredOnIssue(swarm: Swarm, seen: readonly SeenIssue[]): EventBody[] {
  return seen.flatMap(({ issue, said }): EventBody[] => {
    const since = waitsForWordSince(swarm, issue);
    if (said === undefined || since === undefined || said.at < since) return [];
    return [...answers(swarm, issue, said.author, said.text), feedbackOwed(swarm, issue.id)];
  });
}

function answers(swarm: Swarm, { id, labels }: Labelled, by: string, text: string): EventBody[] {
  const open = openQuestions(swarm, id, effectiveLabels(labels, swarm, id));
  return open.map(({ question }) => ({ type: 'question.answered', issue: id, question, by, text }));
}
