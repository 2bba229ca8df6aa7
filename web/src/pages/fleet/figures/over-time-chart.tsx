/** One amount over time: its bars, and what they say in words. */
import { useState } from 'react';
import type { Figures } from '../../../../../src/protocol/dashboard.ts';
import { Chart } from '../../../charts/chart.tsx';
import { amountTicks } from '../../../charts/ticks.ts';
import { TimeBars } from '../../../charts/time-bars.tsx';
import { CHART_HEIGHT } from './height.ts';
import { barsOf, partWords } from './words.ts';

interface OverTimeChartProps {
  readonly figures: Figures;
  readonly of: 'done' | 'usd';
  readonly title: string;
  readonly tone: 'accent' | 'money';
  /** The name of its numbers in the table. */
  readonly column: string;
  /** It cannot be halved. */
  readonly isWhole: boolean;
  /** In a sentence, where there is nothing. */
  readonly nothing: string;
  readonly empty: string;
  /** All of it in a sentence; `when` is the part of the time that has the most. */
  sum(total: number, most: number, when: string): string;
  /** One part's amount, as words and in the table. */
  says(value: number): string;
  cell(value: number): string;
  /** Beside a line. */
  tick(value: number): string;
}

export function OverTimeChart(props: OverTimeChartProps) {
  const { figures, of, title, tone, column, isWhole, nothing, empty, sum, says, cell, tick } = props;
  const [pointed, setPointed] = useState<number | null>(null);
  const bars = barsOf(figures, of);
  const total = bars.reduce((all, { value }) => all + value, 0);
  const most = Math.max(0, ...bars.map(({ value }) => value));
  const best = bars.find(({ value }) => value === most);
  const bar = pointed === null ? undefined : bars[pointed];
  const isNothing = total === 0 || best === undefined;
  return (
    <Chart
      title={title}
      summary={isNothing ? nothing : sum(total, most, partWords(best, figures))}
      hint={bar === undefined ? null : `${partWords(bar, figures)}: ${says(bar.value)}`}
      sheet={{
        columns: ['Time', column],
        rows: bars.map((each) => [partWords(each, figures), cell(each.value)]),
      }}
      empty={empty}
      height={CHART_HEIGHT}
      draw={
        isNothing
          ? undefined
          : (width) => (
              <TimeBars
                width={width}
                height={CHART_HEIGHT}
                bars={bars}
                ticks={amountTicks(most, 4, isWhole, tick)}
                tone={tone}
                pointed={pointed}
                onPoint={setPointed}
              />
            )
      }
    />
  );
}
