/** The position of the time slider: every place that shows the time takes it from here, so they always agree. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Board, JournalSpan } from '../../../../../src/protocol/dashboard.ts';
import { type Moment, spanQuery } from '../../../api/queries.ts';
import { lookAt } from './moment.ts';

/** The address, and with it the daemon, follows a drag this much later: fast enough to see, slow enough to answer. */
const SETTLE_MS = 120;

export interface Slider {
  /** Undefined until the journal's span is known. */
  readonly span: JournalSpan | undefined;
  readonly first: number;
  readonly last: number;
  /** Where the thumb stands; `last` in the present. */
  readonly at: number;
  readonly isNow: boolean;
  drag(at: number): void;
}

/** `moment` is undefined in the present; `shown` is the board of that moment, once it is there. */
export function useSlider(moment: Moment | undefined, shown: Board | undefined): Slider {
  const { data: span } = useQuery(spanQuery);
  const [dragged, setDragged] = useState<number | null>(null);
  const first = span?.first.at ?? 0;
  const last = Math.max(first + 1, span?.last.at ?? 1);
  // A board's own `at` is the time of its last event, which may be long before the chosen moment.
  const looked = moment === undefined ? last : 'at' in moment ? moment.at : (shown?.at ?? last);

  useEffect(() => {
    if (dragged === null) return;
    const timer = setTimeout(() => {
      setDragged(null);
      lookAt(dragged >= last ? undefined : { at: dragged });
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [dragged, last]);

  return {
    span,
    first,
    last,
    at: span === undefined ? looked : Math.min(last, Math.max(first, dragged ?? looked)),
    isNow: moment === undefined && dragged === null,
    drag: setDragged,
  };
}
