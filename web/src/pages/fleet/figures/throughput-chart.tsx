/** Issues that came to Done, over time. */
import { useState } from 'react';
import type { Figures } from '../../../../../src/protocol/dashboard.ts';
import { Chart } from '../../../charts/chart.tsx';
import { amountTicks } from '../../../charts/ticks.ts';
import { TimeBars } from '../../../charts/time-bars.tsx';
import { CHART_HEIGHT } from './height.ts';
import { barsOf, doneIn, issues, partWords } from './words.ts';

export function ThroughputChart({ figures }: { readonly figures: Figures }) {
  const [pointed, setPointed] = useState<number | null>(null);
  const bars = barsOf(figures, 'done');
  const done = doneIn(figures);
  const most = Math.max(0, ...bars.map(({ value }) => value));
  const ticks = amountTicks(most, 4, true, String);
  const best = bars.find(({ value }) => value === most);
  const bar = pointed === null ? undefined : bars[pointed];
  return (
    <Chart
      title="Throughput"
      summary={
        done === 0 || best === undefined
          ? 'No issue came to Done.'
          : `${issues(done)} came to Done, the most of them (${most}) ${partWords(best, figures)}.`
      }
      hint={bar === undefined ? null : `${partWords(bar, figures)}: ${issues(bar.value)} done`}
      sheet={{
        columns: ['Time', 'Issues done'],
        rows: bars.map((each) => [partWords(each, figures), String(each.value)]),
      }}
      empty="Nothing was finished in this time"
      height={CHART_HEIGHT}
      draw={
        done === 0
          ? undefined
          : (width) => (
              <TimeBars
                width={width}
                height={CHART_HEIGHT}
                bars={bars}
                ticks={ticks}
                tone="accent"
                pointed={pointed}
                onPoint={setPointed}
              />
            )
      }
    />
  );
}
