/** What Linear said, without what looks like one of its secrets. */
import { saidWithout } from '../asking/said.ts';

/** Shapes of Linear's keys and tokens; over-eager on purpose. */
const SECRET_SHAPES: readonly RegExp[] = [/\blin_[a-z]+_\w{8,}/gi];

/** `secret` is that of this very request. */
export function said(text: string, secret: string): string {
  return saidWithout(SECRET_SHAPES, text, [secret]);
}
