/** Identifies the account of a request by its token. */
import type { IncomingMessage } from 'node:http';
import type { GithubToken, GithubWorld } from '../model/world.ts';

/**
 * Reads `Bearer T` and `token T` for the APIs, and basic authentication for git. Undefined without
 * credentials.
 */
export function readSecret({ headers }: IncomingMessage): string | undefined {
  const [kind = '', value = ''] = (headers.authorization ?? '').split(' ');
  switch (kind.toLowerCase()) {
    case 'bearer':
    case 'token':
      return value;
    case 'basic':
      return Buffer.from(value, 'base64').toString().split(':').slice(1).join(':');
    default:
      return undefined;
  }
}

/** Returns undefined if the token is unknown or expired. */
export function findToken(world: GithubWorld, secret: string | undefined): GithubToken | undefined {
  const token = secret === undefined ? undefined : world.tokens.get(secret);
  if (token?.expiresAt !== undefined && token.expiresAt <= world.now()) return undefined;
  return token;
}
