/** What Linear said, without what looks like one of its secrets. */
import { saidWithout } from '../asking/said.ts';
import { LINEAR_TOKENS } from '../domain/secret-shapes.ts';

/** `secret` is that of this very request. */
export function said(text: string, secret: string): string {
  return saidWithout(LINEAR_TOKENS, text, [secret]);
}
