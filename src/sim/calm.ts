/** The kinds of trouble a story may have, each of which can be left out of it. */
import type { Faults, Rates } from './faults.ts';

export const TROUBLES = [
  ...(['outages', 'full disk', 'clock jumps', 'blindness', 'freezes', 'daemon kills'] as const),
  ...(['worker kills', 'moving base'] as const),
] as const satisfies [string, ...string[]];
type TroubleKind = (typeof TROUBLES)[number];

export type Kind = TroubleKind | keyof Rates;

const RATES: readonly (keyof Rates)[] = [
  ...(['refused', 'doneButRefused', 'crash', 'unread', 'partial', 'unseen'] as const),
  ...(['lost', 'doubled', 'late', 'misbehaving', 'ciFails', 'ignoring'] as const),
  ...(['overlapping', 'rebasing', 'stopping'] as const),
];

export const KINDS: readonly Kind[] = [...TROUBLES, ...RATES];

/** What is left out is drawn all the same, so that everything else happens as it did. */
export function leaveOut(faults: Faults, without: ReadonlySet<Kind>): void {
  const rates = RATES.map((name) => [name, without.has(name) ? 0 : faults.rates[name]]);
  faults.rates = Object.fromEntries(rates) as unknown as Rates;
}
