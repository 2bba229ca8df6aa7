/** Changes the text of a pull request, marks it ready or a draft, and closes it. */
import { LegionError } from '../../core/model/fault.ts';
import { accountName } from '../../github/actor.ts';
import { makeChanges, type Step } from '../../github/in-one-request.ts';
import { asWritten } from '../../github/published-text.ts';
import { markPullRequest, pullRequestMarkIn } from '../../integrations/github/forge/legion-marks.ts';
import type { PullRequestText } from '../../ports/forge.ts';
import { cleanBody, cleanTitle } from '../clean-text.ts';
import { askOne, type PullRequestToChange } from './ask-one.ts';
import type { Desk } from './desk.ts';

export async function edit(desk: Desk, number: number, text: Partial<PullRequestText>): Promise<void> {
  const title = text.title === undefined ? undefined : cleanTitle(text.title);
  const body = text.body === undefined ? undefined : cleanBody(text.body);
  const one = await askOne(desk, number);
  const changes = {
    ...(title === undefined || title === one.title ? {} : { title }),
    ...(body === undefined || body === asWritten(one.body) ? {} : { body: marked(desk, one, body) }),
  };
  await perform(desk, one, 'EditPullRequest', [
    ...(Object.keys(changes).length === 0 ? [] : [step('updatePullRequest', one, changes)]),
    ...draftSteps(one, text.draft),
  ]);
}

export async function abandon(desk: Desk, number: number): Promise<void> {
  const one = await askOne(desk, number);
  if (one.state === 'MERGED') throw new LegionError('forge.not_open', `pull request ${number} is merged`);
  const steps = one.state === 'OPEN' ? [step('closePullRequest', one, {})] : [];
  await perform(desk, one, 'ClosePullRequest', steps);
}

/** The mark stays with it, whoever edits; one of a person's pull request would not count. */
function marked({ isLegion }: Desk, { author, body: before }: PullRequestToChange, body: string): string {
  const mark = isLegion(accountName(author)) ? pullRequestMarkIn(before) : undefined;
  return mark === undefined ? body : markPullRequest(body, mark);
}

function draftSteps(one: PullRequestToChange, draft: boolean | undefined): readonly Step[] {
  if (draft === undefined || draft === one.isDraft) return [];
  return [step(draft ? 'convertPullRequestToDraft' : 'markPullRequestReadyForReview', one, {})];
}

function step(
  mutation: string,
  { id }: PullRequestToChange,
  changes: Readonly<Record<string, unknown>>,
): Step {
  return { mutation, input: { pullRequestId: id, ...changes } };
}

/** Each says what shall be, not what shall change: who gets no answer may ask for it again. */
async function perform(
  desk: Desk,
  one: PullRequestToChange,
  name: string,
  steps: readonly Step[],
): Promise<void> {
  if (steps.length === 0) return;
  await makeChanges(desk.client, name, steps, { as: 'impl' });
  desk.changed(one.headRefName);
}
