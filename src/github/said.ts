/** What GitHub said, without what looks like one of its secrets. */
import { saidWithout } from '../asking/said.ts';
import { GITHUB_TOKENS } from '../domain/secret-shapes.ts';

const SECRET_SHAPES: readonly RegExp[] = [
  ...GITHUB_TOKENS,
  /-----BEGIN[^-]*PRIVATE KEY-----.*?(?:-----END[^-]*-----|$)/gs,
];

/** `secrets` are those of this very request. */
export function said(text: string, secrets: readonly string[] = []): string {
  return saidWithout(SECRET_SHAPES, text, secrets);
}
