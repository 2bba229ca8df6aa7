/** What the agents cost, over time. */
import { useState } from 'react';
import type { Figures } from '../../../../../src/protocol/dashboard.ts';
import { Chart } from '../../../charts/chart.tsx';
import { amountTicks } from '../../../charts/ticks.ts';
import { TimeBars } from '../../../charts/time-bars.tsx';
import { money } from '../../../components/money.tsx';
import { CHART_HEIGHT } from './height.ts';
import { barsOf, partWords } from './words.ts';

export function CostChart({ figures }: { readonly figures: Figures }) {
  const [pointed, setPointed] = useState<number | null>(null);
  const bars = barsOf(figures, 'usd');
  const total = bars.reduce((sum, { value }) => sum + value, 0);
  const most = Math.max(0, ...bars.map(({ value }) => value));
  const best = bars.find(({ value }) => value === most);
  const ticks = amountTicks(most, 4, false, axisMoney);
  const bar = pointed === null ? undefined : bars[pointed];
  return (
    <Chart
      title="Cost"
      summary={
        total === 0 || best === undefined
          ? 'Nothing was spent.'
          : `${money(total)} in all, the most of it (${money(most)}) ${partWords(best, figures)}.`
      }
      hint={bar === undefined ? null : `${partWords(bar, figures)}: ${money(bar.value)}`}
      sheet={{
        columns: ['Time', 'Cost'],
        rows: bars.map((each) => [partWords(each, figures), money(each.value)]),
      }}
      empty="Nothing was spent in this time"
      height={CHART_HEIGHT}
      draw={
        total === 0
          ? undefined
          : (width) => (
              <TimeBars
                width={width}
                height={CHART_HEIGHT}
                bars={bars}
                ticks={ticks}
                tone="money"
                pointed={pointed}
                onPoint={setPointed}
              />
            )
      }
    />
  );
}

/** Beside an axis `$5`, not `$5.00`. */
function axisMoney(usd: number): string {
  return usd === 0 || usd >= 1 ? `$${usd.toLocaleString('en', { maximumFractionDigits: 1 })}` : money(usd);
}
