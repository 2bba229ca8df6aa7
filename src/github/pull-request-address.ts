/** Where people see a pull request of GitHub, and which pull request an address means. */

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
    const [, number] = /^([1-9]\d{0,9})(?:[/?#]|$)/.exec(address.slice(beginning.length)) ?? [];
    return number === undefined ? [] : [Number(number)];
  });
}
