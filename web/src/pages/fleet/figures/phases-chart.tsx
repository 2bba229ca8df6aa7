/** Time that issues spend in each status. */
import { useState } from 'react';
import { formatCount, formatDuration } from '../../../../../src/core/model/format.ts';
import { STATUSES } from '../../../../../src/core/model/status.ts';
import type { LegionFigures } from '../../../../../src/protocol/dashboard.ts';
import { Chart } from '../../../charts/chart.tsx';
import { Spreads } from '../../../charts/spreads.tsx';
import { CHART_HEIGHT } from './height.ts';

/**
 * Leaves space for the legend, so that chart and legend together are as tall as the chart beside
 * them.
 */
const HEIGHT = CHART_HEIGHT - 26;
/** Omits Done. It is the final status, so the time spent in it is meaningless. */
const ORDER: readonly string[] = STATUSES.filter((status) => status !== 'Done');

export function PhasesChart({ figures }: { readonly figures: LegionFigures }) {
  const [pointed, setPointed] = useState<number | null>(null);
  const rows = figures.phases
    .filter(({ status }) => ORDER.includes(status))
    .toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status))
    .map(({ status, ...spread }) => ({ name: status, ...spread }));
  const longest = rows.toSorted((a, b) => b.medianMs - a.medianMs)[0];
  const row = pointed === null ? undefined : rows[pointed];
  return (
    <Chart
      title="Time in each status"
      summary={
        longest === undefined
          ? 'No issue left a status.'
          : `Longest in ${longest.name}: half of the stays took ${formatDuration(longest.medianMs)} or less, nine of ten took ${formatDuration(longest.p90Ms)} or less.`
      }
      hint={
        row === undefined
          ? null
          : `${row.name}: ${formatCount(row.count, 'stay')}, median ${formatDuration(row.medianMs)}, nine of ten ${formatDuration(row.p90Ms)} or less`
      }
      sheet={{
        columns: ['Status', 'Stays', 'Median', '90 %'],
        rows: rows.map(({ name, count, medianMs, p90Ms }) => [
          name,
          String(count),
          formatDuration(medianMs),
          formatDuration(p90Ms),
        ]),
      }}
      empty="No issue left a status in this period"
      height={HEIGHT}
      draw={
        rows.length === 0
          ? undefined
          : (width) => (
              <Spreads width={width} height={HEIGHT} rows={rows} pointed={pointed} onPoint={setPointed} />
            )
      }
      legend={
        <>
          <span className="share-name">
            <span className="share-mark bar-accent" aria-hidden="true" /> median
          </span>
          <span className="share-name">
            <span className="legend-line" aria-hidden="true" /> nine of ten
          </span>
        </>
      }
    />
  );
}
