/** How long until the board is read again when nobody wakes the loop. */

/** Webhooks and reports wake the loop at once; this is the safety net. Peers settled on 30 s. */
const NORMAL_MS = 30_000;

/** The holding pattern: after this many polls that showed nothing new, this long. */
const HOLDING: readonly { readonly unchanged: number; readonly ms: number }[] = [
  { unchanged: 20, ms: 15 * 60_000 },
  { unchanged: 5, ms: 5 * 60_000 },
];

/** `unchanged` counts the polls in a row that showed nothing new; any change or wake-up begins it anew. */
export function pollIntervalMs(unchanged: number, normalMs = NORMAL_MS, holding = HOLDING): number {
  const held = holding.find((level) => unchanged >= level.unchanged)?.ms ?? normalMs;
  return Math.max(held, normalMs);
}
