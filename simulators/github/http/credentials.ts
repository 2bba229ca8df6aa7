/** Whose request it is, by the token it carries. */
import type { IncomingMessage } from 'node:http';
import type { Token, World } from '../model/world.ts';

/** `Bearer T` and `token T` for the APIs, basic for git; undefined for none. */
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

/** Undefined for one that is not known, or no longer. */
export function tokenFor(world: World, secret: string | undefined): Token | undefined {
  const token = secret === undefined ? undefined : world.tokens.get(secret);
  if (token?.expiresAt !== undefined && token.expiresAt <= world.now()) return undefined;
  return token;
}
