/** How GitHub signs a delivery. */
import { verify } from '@octokit/webhooks-methods';
import type { SigningScheme } from '../signed-text.ts';

/** The library signs text, whose bytes are those that came. */
export const GITHUB_SIGNATURE: SigningScheme = {
  service: 'GitHub',
  header: 'X-Hub-Signature-256',
  form: /^sha256=[0-9a-f]{64}$/,
  isOf: (signature, { text }, secret) => verify(secret, text, signature),
};
