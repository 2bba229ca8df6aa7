/** When a provider's quota is there again, by what it said and by what can be believed of it. */
import type { RateLimit } from './evidence.ts';
import type { HealthLimits } from './limits.ts';

/** Undefined where no readable time was named. One before the refusal would resume in a loop, one years ahead never: misread. */
export function namedReset(
  { seenAt, resetAt }: RateLimit,
  { quotaLongest }: Pick<HealthLimits, 'quotaLongest'>,
): number | undefined {
  if (resetAt === 'unknown' || !(resetAt >= 0)) return undefined;
  return resetAt >= seenAt && resetAt - seenAt <= quotaLongest ? resetAt : undefined;
}
