/** Where people see a pull request of GitHub, and which pull request an address means. */

import { isGithubNumber } from '../../github/number-range.ts';

interface RepositoryName {
  readonly owner: string;
  readonly name: string;
}

export function pullRequestAddress(web: string, { owner, name }: RepositoryName, number: number): string {
  return `${web}/${owner}/${name}/pull/${number}`;
}

/** Numbers of those of one repository among any addresses; what is behind the number does not matter. */
export function pullRequestsIn(
  addresses: readonly string[],
  web: string,
  { owner, name }: RepositoryName,
): readonly number[] {
  const beginning = `${web}/${owner}/${name}/pull/`.toLowerCase();
  return addresses.flatMap((address) => {
    if (!address.toLowerCase().startsWith(beginning)) return [];
    const [, number] = /^([1-9]\d{0,99})(?:[/?#]|$)/.exec(address.slice(beginning.length)) ?? [];
    return number !== undefined && isGithubNumber(Number(number)) ? [Number(number)] : [];
  });
}

/** Addresses of pull requests, on whatever GitHub, whose number no pull request can have. */
export function impossiblePullRequestsIn(addresses: readonly string[]): readonly string[] {
  return addresses.filter((address) => {
    const [, number] = IN_ADDRESS.exec(address) ?? [];
    return number !== undefined && !isGithubNumber(Number(number));
  });
}

const IN_ADDRESS = /^https?:\/\/[^/\s]{1,255}\/[^/\s]{1,100}\/[^/\s]{1,100}\/pull\/(\d{1,100})(?:[/?#]|$)/i;
