/** Looks up GitHub's ids of a repository's labels and creates missing labels. */
import { LegionError } from '../../../core/model/fault.ts';
import { getLabelStyle, LABELS } from '../../../core/model/label.ts';
import { NEVER_ABORTED } from '../../../lib/async/abortable.ts';
import type { LabelsNamedQuery } from '../generated/client.ts';
import { isPossiblyDone } from './answer-fault.ts';
import type { GithubCallOptions, GithubClient } from './client.ts';
import { type AliasedFields, createStep, type MutationStep, makeChanges } from './graphql-answer.ts';
import { type NamedRepository, toRepositoryKey } from './issue-reference.ts';

export interface RepositoryLabels {
  /** Returns the id of the repository, and the ids of these labels in the given order. */
  idsOf(repository: NamedRepository, names: readonly string[], how?: GithubCallOptions): Promise<LabelIds>;
  /** Drops cached ids, which are wrong if a label was deleted and recreated. */
  forget(repository: NamedRepository): void;
}

interface LabelIds {
  readonly repository: string;
  readonly labels: readonly string[];
}

interface RememberedLabels {
  repository: string | undefined;
  readonly ids: Map<string, string>;
}

export function openRepositoryLabels(client: GithubClient): RepositoryLabels {
  const repositories = new Map<string, RememberedLabels>();

  /** Looks up all of Legion's labels at once, because all of them will be needed. */
  async function fetchIds(
    repository: NamedRepository,
    names: readonly string[],
    remembered: RememberedLabels,
    signal: AbortSignal = NEVER_ABORTED,
  ): Promise<string> {
    const wanted = [...new Set([...names, ...LABELS])];
    const target = { owner: repository.owner.login, name: repository.name };
    const { id, ids } = await readLabelIds(client, target, wanted, signal);
    for (const [name, label] of ids) remembered.ids.set(toLabelKey(name), label);
    remembered.repository = id;
    return id;
  }

  return {
    async idsOf(repository, names, callOptions = {}) {
      const key = toRepositoryKey(repository);
      const remembered = repositories.get(key) ?? { repository: undefined, ids: new Map() };
      repositories.set(key, remembered);
      const listMissing = () => [...new Set(names.filter((name) => !remembered.ids.has(toLabelKey(name))))];
      const known = listMissing().length === 0 ? remembered.repository : undefined;
      const repositoryId =
        known ?? (await fetchIds(repository, listMissing(), remembered, callOptions.signal));
      if (listMissing().length > 0) {
        await createLabels(client, repositoryId, listMissing(), callOptions);
        await fetchIds(repository, listMissing(), remembered, callOptions.signal);
      }
      const labels = names.map((name) => {
        const id = remembered.ids.get(toLabelKey(name));
        if (id === undefined)
          throw new LegionError(
            'github.unavailable',
            `The label ${name} disappeared right after it was created`,
          );
        return id;
      });
      return { repository: repositoryId, labels };
    },
    forget: (repository) => void repositories.delete(toRepositoryKey(repository)),
  };
}

type LabelsAnswer = AliasedFields<NonNullable<LabelsNamedQuery['repository']>, 'l'>;

/** Returns the repository's id and the ids of existing labels by name. */
export async function readLabelIds(
  client: GithubClient,
  { owner, name }: { readonly owner: string; readonly name: string },
  labels: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly id: string; readonly ids: ReadonlyMap<string, string> }> {
  const variables = Object.fromEntries(labels.map((label, index) => [`label${index}`, label]));
  const { repository } = await client.query<{ readonly repository: LabelsAnswer | null }>(
    buildLabelsQuery(labels.length),
    { owner, name, ...variables },
    { signal },
  );
  if (repository === null)
    throw new LegionError('github.missing', `The repository ${owner}/${name} is not visible on GitHub`);
  const entries = labels.map((label, index) => [label, repository[`l${index}`]?.id] as const);
  return { id: repository.id, ids: new Map(entries.flatMap(([label, id]) => (id ? [[label, id]] : []))) };
}

/** Builds the query for label ids by name. */
export function buildLabelsQuery(count: number): string {
  const indices = Array.from({ length: count }, (_, index) => index);
  return `
query LabelsNamed($owner: String!, $name: String!, ${indices.map((index) => `$label${index}: String!`).join(', ')}) {
  repository(owner: $owner, name: $name) {
    id
    ${indices.map((index) => `l${index}: label(name: $label${index}) { id }`).join('\n    ')}
  }
}`;
}

/**
 * Creates labels. Ignores abort signals, so that it never stops halfway. If two processes create
 * the same label at once, GitHub refuses the second because the name is taken, and both find the
 * label on the next lookup.
 */
async function createLabels(
  client: GithubClient,
  repositoryId: string,
  names: readonly string[],
  { as }: GithubCallOptions,
): Promise<void> {
  const steps = names.map((name) =>
    createStep('createLabel', { repositoryId, name, ...getLabelStyle(name) }),
  );
  try {
    await makeChanges(client, 'MakeLabels', steps, as === undefined ? {} : { as });
  } catch (error) {
    if (!isPossiblyDone(error)) throw error;
  }
}

/**
 * Builds the mutations that remove labels from an issue or pull request and add others. Uses
 * GitHub's ids. Returns no steps if nothing changes.
 */
export function createLabelSteps(
  labelableId: string,
  removed: readonly string[],
  added: readonly string[],
): readonly MutationStep[] {
  return [
    ...(removed.length === 0
      ? []
      : [createStep('removeLabelsFromLabelable', { labelableId, labelIds: removed })]),
    ...(added.length === 0 ? [] : [createStep('addLabelsToLabelable', { labelableId, labelIds: added })]),
  ];
}

/** Returns a key that ignores case, as GitHub does for labels. */
export function toLabelKey(name: string): string {
  return name.toLowerCase();
}
