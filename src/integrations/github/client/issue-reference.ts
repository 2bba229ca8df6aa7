/** Refers to issues and repositories on GitHub by owner and name, and compares such references. */
import type { IssueSource } from '../../../core/model/issue.ts';

export type IssueReference = Omit<Extract<IssueSource, { kind: 'github' }>, 'kind'>;

/** Returns a key that ignores case, as GitHub does for owners and repositories. */
export function toIssueReferenceKey({ owner, repo, number }: IssueReference): string {
  return `${owner}/${repo}#${number}`.toLowerCase();
}

export function formatIssueReference({ owner, repo, number }: IssueReference): string {
  return `${owner}/${repo}#${number}`;
}

export function compareIssueReferences(one: IssueReference, other: IssueReference): number {
  const [left, right] = [
    `${one.owner}/${one.repo}`.toLowerCase(),
    `${other.owner}/${other.repo}`.toLowerCase(),
  ];
  return left === right ? one.number - other.number : left < right ? -1 : 1;
}

export function isSameRepository(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** A repository's name in GitHub's responses. */
export interface NamedRepository {
  readonly name: string;
  readonly owner: { readonly login: string };
}

/** Returns a key that ignores case, as GitHub does for owners and repositories. */
export function toRepositoryKey({ owner, name }: NamedRepository): string {
  return `${owner.login}/${name}`.toLowerCase();
}
