/** GitHub's ids of a repository's labels; one that is missing is made. */

import { NEVER_ABORTED } from '../asking/never-aborted.ts';
import { LegionError } from '../domain/fault.ts';
import { LABELS } from '../domain/label.ts';
import { labelLook } from '../domain/label-looks.ts';
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
    const variables = Object.fromEntries(wanted.map((name, index) => [`label${index}`, name]));
    const asked = { owner: repository.owner.login, name: repository.name, ...variables };
    const answer = await client.query<Answer>(labelsNamed(wanted.length), asked, { signal });
    wanted.forEach((name, index) => {
      const found = answer.repository[`l${index}`];
      if (typeof found === 'object' && found !== null) into.ids.set(labelKey(name), found.id);
    });
    const { id } = answer.repository;
    into.repository = String(id);
    return into.repository;
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

interface Answer {
  readonly repository: Readonly<Record<string, { readonly id: string } | string | null>>;
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
