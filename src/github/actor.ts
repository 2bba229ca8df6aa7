/** Who somebody is on GitHub, by one name in all of its APIs. */

export interface Actor {
  readonly __typename: string;
  readonly login: string;
}

/** Shown by GitHub itself for an account that is gone. */
const GHOST = 'ghost';

/**
 * An app's account is `legion[bot]` in REST and on the page, and `legion` of the type Bot in GraphQL. A person may be called
 * `legion` too, so the type decides, not the name.
 */
export function accountName(actor: Actor | null): string {
  if (actor === null) return GHOST;
  const { __typename: type, login } = actor;
  return type === 'Bot' && !login.endsWith('[bot]') ? `${login}[bot]` : login;
}
