/** A worker that is being stopped, in the words of every command and page. */
import { span } from './format.ts';

export interface Stopping {
  readonly since: number;
  /** It may end by itself until then; afterwards it is signalled. */
  readonly graceEndsAt: number;
  /** Why it was stopped, as far as the journal still has the order. */
  readonly why?: string | undefined;
}

const SECOND_MS = 1_000;

/** `stopping (began 12s ago, at most 18s of its grace period left)`; `why` goes first in the brackets. */
export function describeStopping({ since, graceEndsAt }: Stopping, now: number, why?: string): string {
  const began = now - since < SECOND_MS ? [] : [`began ${span(now - since)} ago`];
  const times = [...began, describeGrace(since, graceEndsAt, now)].join(', ');
  return `stopping (${why === undefined ? '' : `${why}; `}${times})`;
}

function describeGrace(since: number, graceEndsAt: number, now: number): string {
  if (graceEndsAt <= since) return 'without a grace period';
  // Rounded up, because it is a bound.
  const leftMs = Math.ceil((graceEndsAt - now) / SECOND_MS) * SECOND_MS;
  return leftMs > 0 ? `at most ${span(leftMs)} of its grace period left` : 'its grace period is over';
}
