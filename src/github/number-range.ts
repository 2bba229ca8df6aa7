/** Which numbers of issues and pull requests GitHub can have: its API declares them as 32-bit integers. */

const MAX_NUMBER = 2_147_483_647;

/** A request with any other number is refused as a whole, with everything else it asks for. */
export function isGithubNumber(number: number): boolean {
  return Number.isInteger(number) && number >= 1 && number <= MAX_NUMBER;
}
