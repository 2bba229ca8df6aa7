/** What GitHub said, without what looks like one of its secrets. */
import { saidWithout } from '../asking/said.ts';

/** Shapes of GitHub's tokens, of signed App tokens and of private keys; over-eager on purpose. */
const SECRET_SHAPES: readonly RegExp[] = [
  /(?:gh[a-z]_|github_pat_)\w{8,}/g,
  /eyJ[\w-]{8,}\.[\w-]+\.[\w-]+/g,
  /-----BEGIN[^-]*PRIVATE KEY-----.*?(?:-----END[^-]*-----|$)/gs,
];

/** `secrets` are those of this very request. */
export function said(text: string, secrets: readonly string[] = []): string {
  return saidWithout(SECRET_SHAPES, text, secrets);
}
