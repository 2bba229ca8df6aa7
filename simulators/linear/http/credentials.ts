/**
 * Identifies the requester: by a bare personal key, or by an access token with the Bearer prefix.
 */
import type { IncomingMessage } from 'node:http';
import { LinearRefusal } from '../model/refusal.ts';
import type { LinearCredential, LinearWorld } from '../model/world.ts';

/** Throws Linear's authentication error. */
export function requireCredential(world: LinearWorld, { headers }: IncomingMessage): LinearCredential {
  const { authorization = '' } = headers;
  const [, token] = /^bearer (.+)$/i.exec(authorization) ?? [];
  const found = world.credentials.get(token ?? authorization);
  if (found?.kind === 'key' && token !== undefined) {
    throw new LinearRefusal(
      'authentication error',
      'It looks like you are trying to use an API key as a Bearer token. Remove the Bearer prefix from the Authorization header.',
    );
  }
  const bare = found?.kind === 'token' && token === undefined;
  if (found === undefined || bare || !found.user.active) {
    throw new LinearRefusal(
      'authentication error',
      'Authentication required, not authenticated',
      'You need to authenticate to access this operation.',
    );
  }
  return found;
}
