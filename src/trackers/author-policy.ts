/** Whom the configuration trusts, besides those who may write. */

export interface AuthorPolicy {
  /** `anyone`: whoever may open an issue or comment on one may steer. */
  readonly trust: 'writers' | 'anyone';
  /** Accounts that count as writers besides: logins of GitHub, names or e-mail addresses of Linear. */
  readonly also: readonly string[];
}
