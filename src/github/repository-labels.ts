/** GitHub's ids of a repository's labels; one that is missing is made. */

import { LegionError } from '../core/model/fault.ts';
import { labelLook } from '../core/model/label.ts';
import { LABELS } from '../domain/label.ts';
import type { LabelsNamedQuery } from '../integrations/github/generated/client.ts';
import { NEVER_ABORTED } from '../lib/async/never-aborted.ts';
import type { Aliased } from '../lib/graphql-answer.ts';
import type { Acting, GithubClient } from './client.ts';
import { makeChanges, step } from './in-one-request.ts';
import { labelKey } from './label-steps.ts';
import { mayHaveHappened } from './may-have-happened.ts';
import { type NamedRepository, repositoryKey } from './repository-name.ts';

export interface RepositoryLabels {
  /** The ids of the repository and of these labels, in their order. */
  idsOf(repository: NamedRepository, names: readonly string[], how?: Acting): Promise<LabelIds>;
  /** The ids may be wrong: somebody may have deleted a label and made it again. */
  forget(repository: NamedRepository): void;
}

interface LabelIds {
  readonly repository: string;
  readonly labels: readonly string[];
}

interface Remembered {
  repository: string | undefined;
  readonly ids: Map<string, string>;
}

export function openRepositoryLabels(client: GithubClient): RepositoryLabels {
  const repositories = new Map<string, Remembered>();

  /** All of Legion's at once, because they will all be needed. */
  async function look(
    repository: NamedRepository,
    names: readonly string[],
    into: Remembered,
    signal: AbortSignal = NEVER_ABORTED,
  ): Promise<string> {
    const wanted = [...new Set([...names, ...LABELS])];
    const asked = { owner: repository.owner.login, name: repository.name };
    const { id, ids } = await readLabelIds(client, asked, wanted, signal);
    for (const [name, label] of ids) into.ids.set(labelKey(name), label);
    into.repository = id;
    return id;
  }

  return {
    async idsOf(repository, names, how = {}) {
      const key = repositoryKey(repository);
      const remembered = repositories.get(key) ?? { repository: undefined, ids: new Map() };
      repositories.set(key, remembered);
      const missing = () => [...new Set(names.filter((name) => !remembered.ids.has(labelKey(name))))];
      const known = missing().length === 0 ? remembered.repository : undefined;
      const repositoryId = known ?? (await look(repository, missing(), remembered, how.signal));
      if (missing().length > 0) {
        await make(client, repositoryId, missing(), how);
        await look(repository, missing(), remembered, how.signal);
      }
      const labels = names.map((name) => {
        const id = remembered.ids.get(labelKey(name));
        if (id === undefined) throw new LegionError('github.unavailable', `the label ${name} is gone again`);
        return id;
      });
      return { repository: repositoryId, labels };
    },
    forget: (repository) => void repositories.delete(repositoryKey(repository)),
  };
}

type LabelsAnswer = Aliased<NonNullable<LabelsNamedQuery['repository']>, 'l'>;

/** GitHub's ids of a repository and, by their names, of those labels that it has. */
export async function readLabelIds(
  client: GithubClient,
  { owner, name }: { readonly owner: string; readonly name: string },
  labels: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly id: string; readonly ids: ReadonlyMap<string, string> }> {
  const asked = Object.fromEntries(labels.map((label, index) => [`label${index}`, label]));
  const { repository } = await client.query<{ readonly repository: LabelsAnswer | null }>(
    labelsNamed(labels.length),
    { owner, name, ...asked },
    { signal },
  );
  if (repository === null) throw new LegionError('github.missing', `GitHub shows no ${owner}/${name}`);
  const found = labels.map((label, index) => [label, repository[`l${index}`]?.id] as const);
  return { id: repository.id, ids: new Map(found.flatMap(([label, id]) => (id ? [[label, id]] : []))) };
}

/** The ids of labels by their names, and of their repository. */
export function labelsNamed(count: number): string {
  const asked = Array.from({ length: count }, (_, index) => index);
  return `
query LabelsNamed($owner: String!, $name: String!, ${asked.map((index) => `$label${index}: String!`).join(', ')}) {
  repository(owner: $owner, name: $name) {
    id
    ${asked.map((index) => `l${index}: label(name: $label${index}) { id }`).join('\n    ')}
  }
}`;
}

/**
 * Two that make it at once: one is told that the name is taken, and both find it when they look again. It is never given up
 * half-way.
 */
async function make(
  client: GithubClient,
  repositoryId: string,
  names: readonly string[],
  { as }: Acting,
): Promise<void> {
  const steps = names.map((name) => step('createLabel', { repositoryId, name, ...labelLook(name) }));
  try {
    await makeChanges(client, 'MakeLabels', steps, as === undefined ? {} : { as });
  } catch (error) {
    if (!mayHaveHappened(error)) throw error;
  }
}
