/** Builds and parses web addresses of GitHub pull requests, which issues of any tracker may link to. */

const MAX_NUMBER = 2_147_483_647;

/**
 * Returns whether a number is in GitHub's range for issues and pull requests, which its API
 * declares as 32-bit integers. GitHub rejects the whole request if it contains a number outside
 * this range.
 */
export function isGithubNumber(number: number): boolean {
  return Number.isInteger(number) && number >= 1 && number <= MAX_NUMBER;
}

interface RepositoryName {
  readonly owner: string;
  readonly name: string;
}

export function buildPullRequestUrl(web: string, { owner, name }: RepositoryName, number: number): string {
  return `${web}/${owner}/${name}/pull/${number}`;
}

/**
 * Returns the numbers of those addresses that are pull requests of the given repository. Ignores
 * text after the number.
 */
export function findPullRequestNumbers(
  addresses: readonly string[],
  web: string,
  { owner, name }: RepositoryName,
): readonly number[] {
  const prefix = `${web}/${owner}/${name}/pull/`.toLowerCase();
  return addresses.flatMap((address) => {
    if (!address.toLowerCase().startsWith(prefix)) return [];
    const [, number] = /^([1-9]\d{0,99})(?:[/?#]|$)/.exec(address.slice(prefix.length)) ?? [];
    return number !== undefined && isGithubNumber(Number(number)) ? [Number(number)] : [];
  });
}

/** Returns addresses of pull requests, on any GitHub server, whose number is out of range. */
export function findImpossiblePullRequests(addresses: readonly string[]): readonly string[] {
  return addresses.filter((address) => {
    const [, number] = IN_ADDRESS.exec(address) ?? [];
    return number !== undefined && !isGithubNumber(Number(number));
  });
}

const IN_ADDRESS = /^https?:\/\/[^/\s]{1,255}\/[^/\s]{1,100}\/[^/\s]{1,100}\/pull\/(\d{1,100})(?:[/?#]|$)/i;
