/** Statistics of the legion over a time range, as numbers and charts. */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { formatCount, formatDuration } from '../../../../../src/core/model/format.ts';
import type { LegionFigures } from '../../../../../src/protocol/dashboard.ts';
import { Chart } from '../../../charts/chart.tsx';
import { type ChartShare, SHARES_HEIGHT, ShareLegend, Shares } from '../../../charts/shares.tsx';
import { formatMoney } from '../../../components/money.tsx';
import { ErrorState, Skeleton } from '../../../components/states.tsx';
import { setFields, useQueryFields } from '../../../router/location.ts';
import { createFiguresQuery } from '../queries.ts';
import { RANGE_NAMES, RANGES, readRange, toRangeField } from '../range.ts';
import { CostChart } from './cost-chart.tsx';
import { countDone, describeKills } from './describe-figures.ts';
import { LeadTimeChart } from './lead-time-chart.tsx';
import { OverTimeChart } from './over-time-chart.tsx';
import { PhasesChart } from './phases-chart.tsx';

const CHARTS = ['throughput', 'lead time', 'phases', 'cost', 'kills'];

export function FiguresPanel() {
  const id = useId();
  const range = readRange(useQueryFields());
  const { data: figures, error, refetch, isPlaceholderData } = useQuery(createFiguresQuery(range));
  return (
    <section className="fleet-part" aria-labelledby={id}>
      <div className="fleet-head">
        <h2 id={id}>Statistics</h2>
        <fieldset className="ranges" aria-label="Time range">
          {RANGE_NAMES.map((each) => (
            <button
              key={each}
              type="button"
              className="range"
              aria-pressed={each === range}
              title={RANGES[each].name}
              onClick={() => setFields({ range: toRangeField(each) })}
            >
              {RANGES[each].label}
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

const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** The key numbers. */
function Numbers({ figures }: { readonly figures: LegionFigures }) {
  const { leadTime, attempts, spent } = figures;
  const done = countDone(figures);
  return (
    <dl className="numbers">
      <Amount label="Issues done">{done}</Amount>
      <Amount label="Lead time, median">{leadTime === null ? '–' : formatDuration(leadTime.medianMs)}</Amount>
      <Amount label="Spent">{formatMoney(spent.usd)}</Amount>
      <Amount label="Cost per finished issue">{done === 0 ? '–' : formatMoney(spent.doneUsd / done)}</Amount>
      <Amount label="Tokens">{SHORT.format(spent.tokens)}</Amount>
      <Amount label="Attempts">
        {attempts.total}
        {attempts.crashed > 0 && <span className="numbers-more"> {attempts.crashed} crashed</span>}
      </Amount>
    </dl>
  );
}

function Amount({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="numbers-one">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Issues that reached Done, over time. */
function ThroughputChart({ figures }: { readonly figures: LegionFigures }) {
  return (
    <OverTimeChart
      figures={figures}
      of="done"
      title="Throughput"
      tone="accent"
      column="Issues done"
      isWhole
      nothing="No issue reached Done."
      empty="Nothing was finished in this period"
      sum={(total, max, when) => `${formatCount(total, 'issue')} reached Done. Highest: ${max}, ${when}.`}
      describe={(done) => `${formatCount(done, 'issue')} done`}
      cell={String}
      tick={String}
    />
  );
}

/**
 * Workers that Legion killed because it judged them dead, and how often this judgement was wrong.
 */
function KillsChart({ figures: { kills } }: { readonly figures: LegionFigures }) {
  const shares: readonly ChartShare[] = [
    { name: 'right', count: kills.right, tone: 'good' },
    { name: 'wrong', count: kills.wrong, tone: 'bad' },
    { name: 'not judged yet', count: kills.unjudged, tone: 'open' },
  ];
  const isNone = shares.every(({ count }) => count === 0);
  return (
    <Chart
      title="Kills"
      summary={describeKills(kills)}
      hint={null}
      sheet={{ columns: ['Verdict', 'Kills'], rows: shares.map(({ name, count }) => [name, String(count)]) }}
      empty="No workers were killed"
      height={isNone ? 72 : SHARES_HEIGHT}
      draw={isNone ? undefined : (width) => <Shares width={width} shares={shares} />}
      legend={<ShareLegend shares={shares} />}
    />
  );
}
