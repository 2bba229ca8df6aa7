/** What is kept of a secret: enough to know it again, too little to use it. The secrets are random, so that one round is enough. */
import { createHash } from 'node:crypto';

export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
