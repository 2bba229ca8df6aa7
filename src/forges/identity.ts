/** Under whose name commits are made. */

export interface Identity {
  readonly name: string;
  readonly email: string;
}

/** As git reads it from its environment. */
export function identityOf({ name, email }: Identity): Readonly<Record<string, string>> {
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
}
