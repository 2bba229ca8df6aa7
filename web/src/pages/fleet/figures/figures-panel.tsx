/** How the legion has done within a time, in numbers and charts. */
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { Figures } from '../../../../../src/protocol/dashboard.ts';
import { ErrorState } from '../../../components/error-state.tsx';
import { money } from '../../../components/money.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { setFields, useQueryFields } from '../../../router/location.ts';
import { figuresQuery } from '../queries.ts';
import { RANGE_NAMES, RANGES, rangeField, readRange } from '../range.ts';
import { KillsChart } from './kills-chart.tsx';
import { LeadTimeChart } from './lead-time-chart.tsx';
import { Numbers } from './numbers.tsx';
import { OverTimeChart } from './over-time-chart.tsx';
import { PhasesChart } from './phases-chart.tsx';
import { ThroughputChart } from './throughput-chart.tsx';

const CHARTS = ['throughput', 'lead time', 'phases', 'cost', 'kills'];

export function FiguresPanel() {
  const id = useId();
  const range = readRange(useQueryFields());
  const { data: figures, error, refetch, isPlaceholderData } = useQuery(figuresQuery(range));
  return (
    <section className="fleet-part" aria-labelledby={id}>
      <div className="fleet-head">
        <h2 id={id}>Statistics</h2>
        <fieldset className="ranges" aria-label="How far back">
          {RANGE_NAMES.map((each) => (
            <button
              key={each}
              type="button"
              className="range"
              aria-pressed={each === range}
              title={RANGES[each].name}
              onClick={() => setFields({ range: rangeField(each) })}
            >
              {RANGES[each].says}
            </button>
          ))}
        </fieldset>
      </div>
      {figures !== undefined ? (
        <div className={isPlaceholderData ? 'figures is-old' : 'figures'}>
          <Numbers figures={figures} />
          <div className="charts">
            <ThroughputChart figures={figures} />
            <LeadTimeChart figures={figures} />
            <CostChart figures={figures} />
            <PhasesChart figures={figures} />
            <KillsChart figures={figures} />
          </div>
        </div>
      ) : error === null ? (
        <div className="charts" aria-busy="true">
          {CHARTS.map((chart) => (
            <div key={chart} className="chart">
              <Skeleton width="40%" />
              <Skeleton height="236px" />
            </div>
          ))}
        </div>
      ) : (
        <ErrorState title="The figures could not be read" error={error} onRetry={() => void refetch()} />
      )}
    </section>
  );
}

/** What the agents cost, over time. */
function CostChart({ figures }: { readonly figures: Figures }) {
  return (
    <OverTimeChart
      figures={figures}
      of="usd"
      title="Cost"
      tone="money"
      column="Cost"
      isWhole={false}
      nothing="Nothing was spent."
      empty="Nothing was spent in this time"
      sum={(total, most, when) => `${money(total)} in all, the most of it (${money(most)}) ${when}.`}
      says={money}
      cell={money}
      tick={axisMoney}
    />
  );
}

/** Beside an axis `$5`, not `$5.00`. */
function axisMoney(usd: number): string {
  return usd === 0 || usd >= 1 ? `$${usd.toLocaleString('en', { maximumFractionDigits: 1 })}` : money(usd);
}
