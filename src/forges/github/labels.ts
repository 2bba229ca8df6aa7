/** Labels of a pull request, and of the repository: one that is missing is made. */
import { LegionError } from '../../domain/fault.ts';
import type { Role } from '../../github/client.ts';
import { cleanLabel } from '../clean-text.ts';
import type { PullRequestLabelChange } from '../forge.ts';
import { askOne, askRepository, type LabelAnswer } from './ask-one.ts';
import type { Desk } from './desk.ts';
import { VERDICT_LABELS } from './reviews.ts';
import { inOneRequest, labelsNamed, type Step } from './write-documents.ts';

/** Six hexadecimal digits each; GitHub's own grey for labels that are not Legion's. */
const COLOURS: Readonly<Record<string, string>> = {
  [VERDICT_LABELS.approved]: '0e8a16',
  [VERDICT_LABELS.changes_requested]: 'b60205',
};
const GREY = 'ededed';

export async function label(desk: Desk, number: number, change: PullRequestLabelChange): Promise<void> {
  const add = change.add.map(cleanLabel);
  const remove = change.remove.map(cleanLabel);
  const { id, labels, headRefName } = await askOne(desk, number);
  const steps = await labelSteps(desk, id, labels?.nodes ?? [], { add, remove });
  if (steps.length === 0) return;
  const { document, variables } = inOneRequest('LabelPullRequest', steps);
  await desk.client.mutate(document, variables);
  desk.changed(headRefName);
}

/** Only what is different; what is asked to be both is added. */
export async function labelSteps(
  desk: Desk,
  labelableId: string,
  present: readonly LabelAnswer[],
  { add, remove }: PullRequestLabelChange,
  as?: Role,
): Promise<readonly Step[]> {
  const has = new Set(present.map(({ name }) => keyOf(name)));
  const wanted = new Set(add.map(keyOf));
  const unwanted = new Set(remove.map(keyOf).filter((name) => !wanted.has(name)));
  const lacking = add.filter((name) => !has.has(keyOf(name)));
  const taken = present.filter(({ name }) => unwanted.has(keyOf(name))).map(({ id }) => id);
  const put = lacking.length === 0 ? [] : await idsOf(desk, lacking, as);
  return [
    ...(taken.length === 0
      ? []
      : [{ mutation: 'removeLabelsFromLabelable', input: { labelableId, labelIds: taken } }]),
    ...(put.length === 0
      ? []
      : [{ mutation: 'addLabelsToLabelable', input: { labelableId, labelIds: put } }]),
  ];
}

async function idsOf(desk: Desk, names: readonly string[], as: Role | undefined): Promise<readonly string[]> {
  const first = await look(desk, names);
  const missing = names.filter((name) => !first.ids.has(name));
  if (missing.length > 0) await make(desk, first.repositoryId, missing, as);
  const { ids } = missing.length > 0 ? await look(desk, names) : first;
  return names.map((name) => {
    const id = ids.get(name);
    if (id === undefined) throw new LegionError('github.unavailable', `the label ${name} is gone again`);
    return id;
  });
}

async function look(desk: Desk, names: readonly string[]) {
  const variables = Object.fromEntries(names.map((name, at) => [`l${at}`, name]));
  type Answer = Readonly<Record<string, { readonly id: string } | string | null>>;
  const answer = await askRepository<Answer>(desk, labelsNamed(names.length), variables);
  const ids = new Map<string, string>();
  for (const [at, name] of names.entries()) {
    const found = answer[`l${at}`];
    if (typeof found === 'object' && found !== null) ids.set(name, found.id);
  }
  const { id } = answer;
  return { repositoryId: String(id), ids };
}

/** Two that make it at once: one is told that the name is taken, and both find it when they look again. */
async function make(
  desk: Desk,
  repositoryId: string,
  names: readonly string[],
  as: Role | undefined,
): Promise<void> {
  const steps = names.map((name) => ({
    mutation: 'createLabel',
    input: { repositoryId, name, color: COLOURS[name] ?? GREY },
  }));
  const { document, variables } = inOneRequest('MakeLabels', steps);
  try {
    await desk.client.mutate(document, variables, as === undefined ? {} : { as });
  } catch (error) {
    const isPassing =
      error instanceof LegionError && ['github.refused', 'github.unavailable'].includes(error.code);
    if (!isPassing) throw error;
  }
}

/** Names of labels are the same however they are capitalised. */
function keyOf(name: string): string {
  return name.toLowerCase();
}
