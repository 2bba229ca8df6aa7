/** Whether a signed body was sent just now: whoever has caught an older one cannot send it again. */
import { LegionError, shown } from '../../core/model/fault.ts';

/** What Linear asks receivers to allow, either way: clocks of two machines differ, and a delivery takes a moment. */
export const FRESH_MS = 60_000;

/** `webhookTimestamp` is within the signed body. The header of the same name is not signed, and says nothing here. */
export function refuseStale(body: unknown, now: number): void {
  const at =
    typeof body === 'object' && body !== null && 'webhookTimestamp' in body
      ? body.webhookTimestamp
      : undefined;
  if (at === undefined || at === null) throw stale('is missing');
  if (typeof at !== 'number' || !Number.isFinite(at))
    throw stale(`expected a time in milliseconds, got ${shown(JSON.stringify(at))}`);
  const agoMs = now - at;
  if (Math.abs(agoMs) <= FRESH_MS) return;
  const seconds = `${Math.round(Math.abs(agoMs) / 1_000)} s`;
  const most = `at most ${FRESH_MS / 1_000} s are allowed`;
  throw stale(agoMs > 0 ? `is ${seconds} ago, ${most}` : `is ${seconds} ahead of this clock, ${most}`);
}

function stale(what: string): LegionError {
  return new LegionError('webhook.stale', `webhookTimestamp: ${what}`);
}
