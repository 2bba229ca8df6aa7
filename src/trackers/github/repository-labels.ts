/** GitHub's ids of a repository's labels; one that is missing is made. */
import { LegionError } from '../../domain/fault.ts';
import { LABELS } from '../../domain/label.ts';
import type { GithubClient } from '../../github/client.ts';
import type { LabelAnswer, RepositoryAnswer } from './answers.ts';
import { labelLook } from './label-looks.ts';
import { labelsNamed } from './read-documents.ts';
import { NEVER_ABORTED } from './room.ts';
import { inOneRequest } from './write-documents.ts';

type Named = Pick<RepositoryAnswer, 'name' | 'owner'>;

export interface RepositoryLabels {
  /** The ids of the repository and of these labels, in their order. */
  idsOf(repository: Named, names: readonly string[]): Promise<LabelIds>;
  /** The ids may be wrong: somebody may have deleted a label and made it again. */
  forget(repository: Named): void;
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
  async function look(repository: Named, names: readonly string[], into: Remembered): Promise<string> {
    const wanted = [...new Set([...names, ...LABELS])];
    const variables = Object.fromEntries(wanted.map((name, index) => [`label${index}`, name]));
    const asked = { owner: repository.owner.login, name: repository.name, ...variables };
    const answer = await client.query<Answer>(labelsNamed(wanted.length), asked, { signal: NEVER_ABORTED });
    wanted.forEach((name, index) => {
      const found = answer.repository[`l${index}`];
      if (typeof found === 'object' && found !== null) into.ids.set(keyOf(name), found.id);
    });
    const { id } = answer.repository;
    into.repository = String(id);
    return into.repository;
  }

  return {
    async idsOf(repository, names) {
      const key = repositoryKey(repository);
      const remembered = repositories.get(key) ?? { repository: undefined, ids: new Map() };
      repositories.set(key, remembered);
      const missing = () => [...new Set(names.filter((name) => !remembered.ids.has(keyOf(name))))];
      const known = missing().length === 0 ? remembered.repository : undefined;
      const repositoryId = known ?? (await look(repository, missing(), remembered));
      if (missing().length > 0) {
        await make(client, repositoryId, missing());
        await look(repository, missing(), remembered);
      }
      const labels = names.map((name) => {
        const id = remembered.ids.get(keyOf(name));
        if (id === undefined) throw new LegionError('github.unavailable', `the label ${name} is gone again`);
        return id;
      });
      return { repository: repositoryId, labels };
    },
    forget: (repository) => void repositories.delete(repositoryKey(repository)),
  };
}

interface Answer {
  readonly repository: Readonly<Record<string, LabelAnswer | string | null>>;
}

/** Two that make it at once: one is told that the name is taken, and both find it when they look again. */
async function make(client: GithubClient, repositoryId: string, names: readonly string[]): Promise<void> {
  const steps = names.map((name) => ({
    mutation: 'createLabel',
    input: { repositoryId, name, ...labelLook(name) },
  }));
  const { document, variables } = inOneRequest('MakeLabels', steps);
  try {
    await client.mutate(document, variables);
  } catch (error) {
    if (!(error instanceof LegionError) || !['github.refused', 'github.unavailable'].includes(error.code))
      throw error;
  }
}

function keyOf(label: string): string {
  return label.toLowerCase();
}

function repositoryKey({ owner, name }: Named): string {
  return `${owner.login}/${name}`.toLowerCase();
}
