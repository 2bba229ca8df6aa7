/** Labels of a pull request; one that the repository does not have is made. */
import type { Role } from '../../github/client.ts';
import { makeChanges, type Step } from '../../github/in-one-request.ts';
import { type LabelAnswer, labelKey, labelSteps } from '../../github/label-steps.ts';
import { openRepositoryLabels } from '../../github/repository-labels.ts';
import type { PullRequestLabelChange } from '../../ports/forge.ts';
import { cleanLabel } from '../clean-text.ts';
import { askOne } from './ask-one.ts';
import type { Desk } from './desk.ts';

export async function label(desk: Desk, number: number, change: PullRequestLabelChange): Promise<void> {
  const add = change.add.map(cleanLabel);
  const remove = change.remove.map(cleanLabel);
  const { id, labels, headRefName } = await askOne(desk, number);
  const steps = await labelChange(desk, id, presentLabels(labels), { add, remove });
  if (steps.length === 0) return;
  await makeChanges(desk.client, 'LabelPullRequest', steps);
  desk.changed(headRefName);
}

/** GitHub's schema allows the list, and each of its entries, to be null. */
export function presentLabels(
  labels: { readonly nodes: readonly (LabelAnswer | null)[] | null } | null,
): readonly LabelAnswer[] {
  return (labels?.nodes ?? []).filter((each) => each !== null);
}

/** Only what is different; what is asked to be both is added. */
export async function labelChange(
  desk: Desk,
  labelableId: string,
  present: readonly LabelAnswer[],
  { add, remove }: PullRequestLabelChange,
  as?: Role,
): Promise<readonly Step[]> {
  const has = new Set(present.map(({ name }) => labelKey(name)));
  const wanted = new Set(add.map(labelKey));
  const unwanted = new Set(remove.map(labelKey).filter((name) => !wanted.has(name)));
  const lacking = add.filter((name) => !has.has(labelKey(name)));
  const taken = present.filter(({ name }) => unwanted.has(labelKey(name))).map(({ id }) => id);
  if (lacking.length === 0) return labelSteps(labelableId, taken, []);
  const repository = { owner: { login: desk.repo.owner }, name: desk.repo.name };
  const how = { signal: desk.closing, ...(as === undefined ? {} : { as }) };
  // Looked up each time: nobody asks again after a label that was deleted and made anew.
  const { labels } = await openRepositoryLabels(desk.client).idsOf(repository, lacking, how);
  return labelSteps(labelableId, taken, labels);
}
