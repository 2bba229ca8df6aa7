/** A person who answers on the issue itself, where the board is not ours, has answered: nobody has to set a label as well. */
import type { EventBody } from '../domain/event.ts';
import { LegionError } from '../domain/fault.ts';
import type { IssueId } from '../domain/ids.ts';
import { effectiveLabels } from '../swarm/effective-labels.ts';
import type { SeenIssue } from '../swarm/observation.ts';
import type { Swarm } from '../swarm/state.ts';
import type { Comment } from '../trackers/tracker.ts';
import { feedbackOwed } from './desks/operator/answer.ts';
import { openQuestions } from './desks/operator/open-questions.ts';
import type { World } from './world.ts';

/** Other boards tell time in whole seconds: what was said in the very second of the question counts. */
const SECOND_MS = 1_000;

/** The first word of somebody who may steer, on each issue that waits for one. What cannot be read now is read next time. */
export async function wordsSaid(
  { tracker, board, ledger }: World,
  seen: readonly SeenIssue[],
  signal: AbortSignal,
): Promise<ReadonlyMap<IssueId, Comment>> {
  // On our own board people answer by a command, which knows which question they mean.
  if (board !== undefined) return new Map();
  const waiting = seen.flatMap(({ issue }) => {
    const since = waitsSince(ledger.swarm, issue.id, issue.labels);
    return since === undefined ? [] : [{ id: issue.id, since: since - (since % SECOND_MS) }];
  });
  const found = await Promise.all(
    waiting.map(async ({ id, since }): Promise<[IssueId, Comment | undefined]> => {
      try {
        return [id, (await tracker.commentsSince(id, since, signal)).find(({ by }) => by === 'writer')];
      } catch (error) {
        if (signal.aborted || !(error instanceof LegionError)) throw error;
        return [id, undefined];
      }
    }),
  );
  return new Map(found.flatMap(([id, comment]) => (comment === undefined ? [] : [[id, comment]])));
}

/** Asked again at the moment of writing: a command may have answered meanwhile. */
export function answeredOnIssue(
  swarm: Swarm,
  seen: readonly SeenIssue[],
  said: ReadonlyMap<IssueId, Comment>,
): EventBody[] {
  return seen.flatMap(({ issue }): EventBody[] => {
    const comment = said.get(issue.id);
    const since = waitsSince(swarm, issue.id, issue.labels);
    if (comment === undefined || since === undefined || comment.at < since - (since % SECOND_MS)) return [];
    const { author: by, text } = comment;
    const answers = openQuestions(swarm, issue.id, labelsOf(swarm, issue)).map(
      ({ question }) => ({ type: 'question.answered', issue: issue.id, question, by, text }) as const,
    );
    return [...answers, feedbackOwed(swarm, issue.id)];
  });
}

/** Since the oldest question that is open, or since Legion itself turned to a person; undefined where nobody is waited for. */
function waitsSince(swarm: Swarm, id: IssueId, labels: readonly string[]): number | undefined {
  const effective = labelsOf(swarm, { id, labels });
  if (!effective.has('user-input-needed') || effective.has('user-feedback-given')) return undefined;
  const [oldest] = openQuestions(swarm, id, effective);
  const decision = swarm.issues.get(id)?.decision;
  return oldest?.askedAt ?? (decision?.reason === 'waits_for_answer' ? decision.since : undefined);
}

function labelsOf(
  { issues }: Swarm,
  { id, labels }: { readonly id: IssueId; readonly labels: readonly string[] },
): ReadonlySet<string> {
  return effectiveLabels(labels, issues.get(id));
}
