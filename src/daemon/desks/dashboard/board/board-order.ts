/** The order of cards: by status as work goes, then the most urgent, then who has been there the longest. */
import { SEEN_STATUSES } from '../../../../core/model/status.ts';
import type { Card } from '../../../../protocol/dashboard.ts';

/** 0 says nothing about urgency, so that it comes last. */
const UNSAID = 5;

export function inBoardOrder(cards: readonly Card[]): Card[] {
  const places = new Map(SEEN_STATUSES.map((status, place) => [status, place]));
  const place = ({ status }: Card) => places.get(status) ?? 0;
  return cards.toSorted(
    (a, b) =>
      place(a) - place(b) ||
      (a.priority || UNSAID) - (b.priority || UNSAID) ||
      (a.since ?? 0) - (b.since ?? 0) ||
      (a.id < b.id ? -1 : 1),
  );
}
