/**
 * Key pairs of GitHub Apps. All simulators of a process share them, because generating one takes
 * 0.1 s.
 */
import { generateKeyPairSync } from 'node:crypto';

const RSA_BITS = 2048; // the size of GitHub's own keys

const PAIRS: AppKeys[] = [];

export interface AppKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** Returns the key pair of a simulator's nth App. The Apps of one simulator have different keys. */
export function getAppKeys(index: number): AppKeys {
  PAIRS[index] ??= generateKeyPairSync('rsa', {
    modulusLength: RSA_BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' }, // GitHub's own format
  });
  return PAIRS[index];
}
