/**
 * Position of the time slider. All elements that show the time read it from here, so that they
 * always agree.
 */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { DashboardBoard, JournalSpan } from '../../../../../src/protocol/dashboard.ts';
import { type BoardMoment, spanQuery } from '../../../api/queries.ts';
import { setMoment } from './moment.ts';

/**
 * Delay after a drag before the address is updated and the board at the new moment is requested:
 * short enough to feel live, long enough for the daemon to answer.
 */
const SETTLE_MS = 120;

export interface HistorySlider {
  /** Undefined until the journal's span is known. */
  readonly span: JournalSpan | undefined;
  readonly first: number;
  readonly last: number;
  /** Time at the slider's thumb. Equals `last` in the present. */
  readonly at: number;
  readonly isNow: boolean;
  drag(at: number): void;
}

/** `moment` is undefined in the present. `board` is the board at that moment, once loaded. */
export function useSlider(moment: BoardMoment | undefined, board: DashboardBoard | undefined): HistorySlider {
  const { data: span } = useQuery(spanQuery);
  const [dragged, setDragged] = useState<number | null>(null);
  const first = span?.first.at ?? 0;
  const last = Math.max(first + 1, span?.last.at ?? 1);
  // A board's own `at` is the time of its last event, which may be long before the selected moment.
  const selectedAt = moment === undefined ? last : 'at' in moment ? moment.at : (board?.at ?? last);

  useEffect(() => {
    if (dragged === null) return;
    const timer = setTimeout(() => {
      setDragged(null);
      setMoment(dragged >= last ? undefined : { at: dragged });
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [dragged, last]);

  return {
    span,
    first,
    last,
    at: span === undefined ? selectedAt : Math.min(last, Math.max(first, dragged ?? selectedAt)),
    isNow: moment === undefined && dragged === null,
    drag: setDragged,
  };
}
