/** Whom the configuration trusts, besides those who may write. */

export interface AuthorPolicy {
  /** `anyone`: whoever may open an issue or comment on one may steer. */
  readonly trust: 'writers' | 'anyone';
  /** Logins that count as writers besides. */
  readonly also: readonly string[];
}
