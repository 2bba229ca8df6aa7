/** Key pairs of GitHub Apps, shared by all simulators of a process: generating one takes 0.1 s. */
import { generateKeyPairSync } from 'node:crypto';

const RSA_BITS = 2048; // as GitHub's own keys

const PAIRS: AppKeys[] = [];

export interface AppKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** Returns the key pair of a simulator's nth App, so that its Apps differ from each other. */
export function getAppKeys(index: number): AppKeys {
  PAIRS[index] ??= generateKeyPairSync('rsa', {
    modulusLength: RSA_BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' }, // GitHub's own format
  });
  return PAIRS[index];
}
