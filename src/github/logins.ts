/** When two logins are one account; GitHub knows no capitals in them. */

export function sameLogin(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

export function isOneOf(login: string, logins: readonly string[]): boolean {
  return logins.some((each) => sameLogin(each, login));
}
