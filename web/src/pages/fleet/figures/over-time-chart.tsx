/** A chart of one amount over time: its bars and their description. */
import { useState } from 'react';
import type { LegionFigures } from '../../../../../src/protocol/dashboard.ts';
import { Chart } from '../../../charts/chart.tsx';
import { buildAmountTicks } from '../../../charts/ticks.ts';
import { TimeBars } from '../../../charts/time-bars.tsx';
import { describePart, toBars } from './describe-figures.ts';
import { CHART_HEIGHT } from './height.ts';

interface OverTimeChartProps {
  readonly figures: LegionFigures;
  readonly of: 'done' | 'usd';
  readonly title: string;
  readonly tone: 'accent' | 'money';
  /** Heading of the column of numbers in the table. */
  readonly column: string;
  /** Whether the amount is an integer. */
  readonly isWhole: boolean;
  /** Sentence shown if there is nothing to draw. */
  readonly nothing: string;
  readonly empty: string;
  /**
   * Summarises the chart in a sentence. `max` is the highest amount, and `when` is its interval.
   */
  sum(total: number, max: number, when: string): string;
  /** Formats the amount of one interval, for the hint and the table. */
  describe(value: number): string;
  cell(value: number): string;
  /** Formats an axis label. */
  tick(value: number): string;
}

export function OverTimeChart(props: OverTimeChartProps) {
  const { figures, of, title, tone, column, isWhole, nothing, empty, sum, describe, cell, tick } = props;
  const [pointed, setPointed] = useState<number | null>(null);
  const bars = toBars(figures, of);
  const total = bars.reduce((all, { value }) => all + value, 0);
  const max = Math.max(0, ...bars.map(({ value }) => value));
  const best = bars.find(({ value }) => value === max);
  const bar = pointed === null ? undefined : bars[pointed];
  const isNothing = total === 0 || best === undefined;
  return (
    <Chart
      title={title}
      summary={isNothing ? nothing : sum(total, max, describePart(best, figures))}
      hint={bar === undefined ? null : `${describePart(bar, figures)}: ${describe(bar.value)}`}
      sheet={{
        columns: ['Time', column],
        rows: bars.map((each) => [describePart(each, figures), cell(each.value)]),
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
                ticks={buildAmountTicks(max, 4, isWhole, tick)}
                tone={tone}
                pointed={pointed}
                onPoint={setPointed}
              />
            )
      }
    />
  );
}
