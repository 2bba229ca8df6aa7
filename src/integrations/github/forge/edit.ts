/** Edits a pull request's text and labels, switches between ready and draft, and closes it. */
import { LegionError } from '../../../core/model/fault.ts';
import type { PullRequestLabelChange, PullRequestText } from '../../../ports/forge.ts';
import { sanitizeBody, sanitizeLabel, sanitizeTitle } from '../../forge-support/clean-text.ts';
import type { GithubRole } from '../client/client.ts';
import { type LabelAnswer, toAccountName } from '../client/client.ts';
import { type MutationStep, makeChanges } from '../client/graphql-answer.ts';
import { restoreWrittenText } from '../client/published-text.ts';
import { createLabelSteps, openRepositoryLabels, toLabelKey } from '../client/repository-labels.ts';
import type { GithubForgeContext } from './context.ts';
import { findPullRequestMark, markPullRequest } from './legion-marks.ts';
import { askOne, type PullRequestToChange } from './read-one.ts';

export async function updatePullRequest(
  context: GithubForgeContext,
  number: number,
  text: Partial<PullRequestText>,
): Promise<void> {
  const title = text.title === undefined ? undefined : sanitizeTitle(text.title);
  const body = text.body === undefined ? undefined : sanitizeBody(text.body);
  const one = await askOne(context, number);
  const changes = {
    ...(title === undefined || title === one.title ? {} : { title }),
    ...(body === undefined || body === restoreWrittenText(one.body)
      ? {}
      : { body: keepMark(context, one, body) }),
  };
  await runSteps(context, one, 'EditPullRequest', [
    ...(Object.keys(changes).length === 0 ? [] : [createEditStep('updatePullRequest', one, changes)]),
    ...planDraftSteps(one, text.draft),
  ]);
}

export async function closePullRequest(context: GithubForgeContext, number: number): Promise<void> {
  const one = await askOne(context, number);
  if (one.state === 'MERGED') throw new LegionError('forge.not_open', `Pull request ${number} is merged`);
  const steps = one.state === 'OPEN' ? [createEditStep('closePullRequest', one, {})] : [];
  await runSteps(context, one, 'ClosePullRequest', steps);
}

/**
 * Keeps Legion's marker in the edited body. Adds no marker to a person's pull request, because
 * Legion ignores markers there.
 */
function keepMark(
  { isLegion }: GithubForgeContext,
  { author, body: before }: PullRequestToChange,
  body: string,
): string {
  const mark = isLegion(toAccountName(author)) ? findPullRequestMark(before) : undefined;
  return mark === undefined ? body : markPullRequest(body, mark);
}

function planDraftSteps(one: PullRequestToChange, draft: boolean | undefined): readonly MutationStep[] {
  if (draft === undefined || draft === one.isDraft) return [];
  return [createEditStep(draft ? 'convertPullRequestToDraft' : 'markPullRequestReadyForReview', one, {})];
}

function createEditStep(
  mutation: string,
  { id }: PullRequestToChange,
  changes: Readonly<Record<string, unknown>>,
): MutationStep {
  return { mutation, input: { pullRequestId: id, ...changes } };
}

/** Runs the steps. Each step sets a target state, so it can be repeated after a lost response. */
async function runSteps(
  context: GithubForgeContext,
  one: PullRequestToChange,
  name: string,
  steps: readonly MutationStep[],
): Promise<void> {
  if (steps.length === 0) return;
  await makeChanges(context.client, name, steps, { as: 'impl' });
  context.changed(one.headRefName);
}

/** Changes the labels of a pull request and creates missing labels in the repository. */
export async function updateLabels(
  context: GithubForgeContext,
  number: number,
  change: PullRequestLabelChange,
): Promise<void> {
  const add = change.add.map(sanitizeLabel);
  const remove = change.remove.map(sanitizeLabel);
  const { id, labels, headRefName } = await askOne(context, number);
  const steps = await planLabelSteps(context, id, listPresentLabels(labels), { add, remove });
  if (steps.length === 0) return;
  await makeChanges(context.client, 'LabelPullRequest', steps);
  context.changed(headRefName);
}

/** GitHub's schema allows the list and each of its entries to be null. */
export function listPresentLabels(
  labels: { readonly nodes: readonly (LabelAnswer | null)[] | null } | null,
): readonly LabelAnswer[] {
  return (labels?.nodes ?? []).filter((each) => each !== null);
}

/** Returns only the steps that change something. A label in both lists is added. */
export async function planLabelSteps(
  context: GithubForgeContext,
  labelableId: string,
  present: readonly LabelAnswer[],
  { add, remove }: PullRequestLabelChange,
  as?: GithubRole,
): Promise<readonly MutationStep[]> {
  const has = new Set(present.map(({ name }) => toLabelKey(name)));
  const wanted = new Set(add.map(toLabelKey));
  const unwanted = new Set(remove.map(toLabelKey).filter((name) => !wanted.has(name)));
  const missingLabels = add.filter((name) => !has.has(toLabelKey(name)));
  const removedLabelIds = present.filter(({ name }) => unwanted.has(toLabelKey(name))).map(({ id }) => id);
  if (missingLabels.length === 0) return createLabelSteps(labelableId, removedLabelIds, []);
  const repository = { owner: { login: context.repo.owner }, name: context.repo.name };
  const callOptions = { signal: context.closing, ...(as === undefined ? {} : { as }) };
  // Looks up the ids every time. If a label was deleted and recreated, a cached id would be wrong,
  // and nothing here would retry.
  const { labels } = await openRepositoryLabels(context.client).idsOf(repository, missingLabels, callOptions);
  return createLabelSteps(labelableId, removedLabelIds, labels);
}
