/** Where an account's token comes from, and what a token must look like to be sent. */
import { LegionError } from '../core/model/fault.ts';

export interface TokenSource {
  /** For people: `credentials.github.token`, `the variable GH_TOKEN`, `GitHub App 17`. Never a secret. */
  words(): Promise<string>;
  /** One that holds for some minutes more; rejects with `github.unauthorized` where there is none. */
  token(): Promise<string>;
  /** Another one, after GitHub did not take this; undefined where there is no other. */
  renewed(refused: string): Promise<string | undefined>;
}

export function fixedToken(token: string, words: string): TokenSource {
  return {
    words: async () => words,
    token: async () => sendable(token, words),
    renewed: async () => undefined,
  };
}

/** A header takes no line break, and the complaint about one would quote the token. */
export function sendable(token: string, words: string): string {
  if (/^[\x21-\x7e]{1,1000}$/.test(token)) return token;
  throw new LegionError(
    'github.unauthorized',
    `the token of ${words} is empty or has characters no token has`,
  );
}
