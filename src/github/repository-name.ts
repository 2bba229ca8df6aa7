/** A repository as GitHub's answers name it. */

export interface NamedRepository {
  readonly name: string;
  readonly owner: { readonly login: string };
}

/** Names of owners and repositories are the same however they are capitalised. */
export function repositoryKey({ owner, name }: NamedRepository): string {
  return `${owner.login}/${name}`.toLowerCase();
}
