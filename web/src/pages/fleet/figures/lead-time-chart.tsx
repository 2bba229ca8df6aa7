/** Time from the first work on an issue to Done. */
import { useState } from 'react';
import { formatDuration } from '../../../../../src/core/model/format.ts';
import type { LegionFigures } from '../../../../../src/protocol/dashboard.ts';
import { Chart } from '../../../charts/chart.tsx';
import { Points } from '../../../charts/points.tsx';
import { formatMoment } from '../../../clock/format-time.ts';
import { toPlainText } from '../../../text/plain.ts';
import { CHART_HEIGHT } from './height.ts';

export function LeadTimeChart({ figures }: { readonly figures: LegionFigures }) {
  const [pointed, setPointed] = useState<number | null>(null);
  const { leadTime, leadTimes, from, to } = figures;
  const issue = pointed === null ? undefined : leadTimes[pointed];
  const points = leadTimes.map(({ doneAt, ms }) => ({ at: doneAt, ms }));
  return (
    <Chart
      title="Lead time"
      summary={
        leadTime === null
          ? 'No issue that a worker worked on reached Done.'
          : `Half of the ${leadTime.count} issues took ${formatDuration(leadTime.medianMs)} or less, nine of ten took ${formatDuration(leadTime.p90Ms)} or less.`
      }
      hint={
        issue === undefined
          ? null
          : `${toPlainText(issue.issue)} took ${formatDuration(issue.ms)}, done ${formatMoment(issue.doneAt)}`
      }
      sheet={{
        columns: ['Issue', 'Took', 'Done'],
        rows: leadTimes
          .toReversed()
          .map(({ issue: id, ms, doneAt }) => [toPlainText(id), formatDuration(ms), formatMoment(doneAt)]),
      }}
      empty="Nothing was finished in this period"
      height={CHART_HEIGHT}
      draw={
        leadTime === null || points.length === 0
          ? undefined
          : (width) => (
              <Points
                width={width}
                height={CHART_HEIGHT}
                from={from}
                to={to}
                points={points}
                lines={[
                  { label: 'median', ms: leadTime.medianMs },
                  { label: '90 %', ms: leadTime.p90Ms },
                ]}
                pointed={pointed}
                onPoint={setPointed}
              />
            )
      }
    />
  );
}
