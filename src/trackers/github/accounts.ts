/** Whether an account is one of some; GitHub knows no capitals in logins. */

export function isOneOf(account: string, accounts: readonly string[]): boolean {
  return accounts.some((each) => each.toLowerCase() === account.toLowerCase());
}
