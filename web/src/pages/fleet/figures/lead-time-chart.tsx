/** How long issues took from the first work on them to Done. */
import { useState } from 'react';
import { span } from '../../../../../src/domain/format.ts';
import type { Figures } from '../../../../../src/protocol/dashboard.ts';
import { Chart } from '../../../charts/chart.tsx';
import { Points } from '../../../charts/points.tsx';
import { moment } from '../../../clock/words.ts';
import { plain } from '../../../text/plain.ts';
import { CHART_HEIGHT } from './height.ts';

export function LeadTimeChart({ figures }: { readonly figures: Figures }) {
  const [pointed, setPointed] = useState<number | null>(null);
  const { leadTime, leadTimes, from, to } = figures;
  const issue = pointed === null ? undefined : leadTimes[pointed];
  const points = leadTimes.map(({ doneAt, ms }) => ({ at: doneAt, ms }));
  return (
    <Chart
      title="Lead time"
      summary={
        leadTime === null
          ? 'No issue on which somebody worked came to Done.'
          : `Half of ${leadTime.count} took ${span(leadTime.medianMs)} or less, nine of ten ${span(leadTime.p90Ms)} or less.`
      }
      hint={
        issue === undefined
          ? null
          : `${plain(issue.issue)} took ${span(issue.ms)}, done ${moment(issue.doneAt)}`
      }
      sheet={{
        columns: ['Issue', 'Took', 'Done'],
        rows: leadTimes
          .toReversed()
          .map(({ issue: id, ms, doneAt }) => [plain(id), span(ms), moment(doneAt)]),
      }}
      empty="Nothing was finished in this time"
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
                  { says: 'median', ms: leadTime.medianMs },
                  { says: '90 %', ms: leadTime.p90Ms },
                ]}
                pointed={pointed}
                onPoint={setPointed}
              />
            )
      }
    />
  );
}
