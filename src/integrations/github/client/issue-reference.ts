/** Where an issue lives on GitHub, and when two places are the same. */
import type { IssueSource } from '../../../domain/issue.ts';

export type IssuePlace = Omit<Extract<IssueSource, { kind: 'github' }>, 'kind'>;

/** Names of owners and repositories are the same however they are capitalised. */
export function placeKey({ owner, repo, number }: IssuePlace): string {
  return `${owner}/${repo}#${number}`.toLowerCase();
}

export function shownPlace({ owner, repo, number }: IssuePlace): string {
  return `${owner}/${repo}#${number}`;
}

export function byPlace(one: IssuePlace, other: IssuePlace): number {
  const [left, right] = [
    `${one.owner}/${one.repo}`.toLowerCase(),
    `${other.owner}/${other.repo}`.toLowerCase(),
  ];
  return left === right ? one.number - other.number : left < right ? -1 : 1;
}

export function isSameRepository(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
