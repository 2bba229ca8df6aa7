/** How the legion has done within a time, in numbers and charts. */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { span } from '../../../../../src/domain/format.ts';
import type { Figures } from '../../../../../src/protocol/dashboard.ts';
import { Chart } from '../../../charts/chart.tsx';
import { SHARES_HEIGHT, type Share, ShareLegend, Shares } from '../../../charts/shares.tsx';
import { money } from '../../../components/money.tsx';
import { ErrorState, Skeleton } from '../../../components/states.tsx';
import { setFields, useQueryFields } from '../../../router/location.ts';
import { figuresQuery } from '../queries.ts';
import { RANGE_NAMES, RANGES, rangeField, readRange } from '../range.ts';
import { CostChart } from './cost-chart.tsx';
import { LeadTimeChart } from './lead-time-chart.tsx';
import { PhasesChart } from './phases-chart.tsx';
import { ThroughputChart } from './throughput-chart.tsx';
import { doneIn, killWords } from './words.ts';

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

const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** The few numbers one looks for first. */
function Numbers({ figures }: { readonly figures: Figures }) {
  const { leadTime, attempts, spent } = figures;
  const done = doneIn(figures);
  return (
    <dl className="numbers">
      <Amount says="Issues done">{done}</Amount>
      <Amount says="Lead time, median">{leadTime === null ? '–' : span(leadTime.medianMs)}</Amount>
      <Amount says="Spent">{money(spent.usd)}</Amount>
      <Amount says="For each issue done">{done === 0 ? '–' : money(spent.doneUsd / done)}</Amount>
      <Amount says="Tokens">{SHORT.format(spent.tokens)}</Amount>
      <Amount says="Attempts">
        {attempts.total}
        {attempts.crashed > 0 && <span className="numbers-more"> {attempts.crashed} crashed</span>}
      </Amount>
    </dl>
  );
}

function Amount({ says, children }: { readonly says: string; readonly children: ReactNode }) {
  return (
    <div className="numbers-one">
      <dt>{says}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Workers that Legion ended because it took them for dead, and how often that was wrong. */
function KillsChart({ figures: { kills } }: { readonly figures: Figures }) {
  const shares: readonly Share[] = [
    { name: 'right', count: kills.right, tone: 'good' },
    { name: 'wrong', count: kills.wrong, tone: 'bad' },
    { name: 'not judged yet', count: kills.unjudged, tone: 'open' },
  ];
  const isNone = shares.every(({ count }) => count === 0);
  return (
    <Chart
      title="Kills"
      summary={killWords(kills)}
      hint={null}
      sheet={{ columns: ['Verdict', 'Kills'], rows: shares.map(({ name, count }) => [name, String(count)]) }}
      empty="No worker had to be killed"
      height={isNone ? 72 : SHARES_HEIGHT}
      draw={isNone ? undefined : (width) => <Shares width={width} shares={shares} />}
      legend={<ShareLegend shares={shares} />}
    />
  );
}
