/** Spending limits per day, per issue and per worker, as configured. */

import { formatCount, formatDuration, formatTokens } from '../../../../../src/core/model/format.ts';
import type { HealthView } from '../../../../../src/protocol/status.ts';
import { formatMoney } from '../../../components/money.tsx';
import { Tile } from './tile.tsx';

type WorkerBudget = NonNullable<HealthView['budgets']>['worker'];

export function LimitsTile({ health: { budgets, day } }: { readonly health: HealthView }) {
  const [worker, issue] = [describeBudget(budgets?.worker ?? {}), describeBudget(budgets?.issue ?? {})];
  if (worker === undefined && issue === undefined && day === undefined)
    return (
      <Tile title="Budgets">
        <p className="tile-main">No limits are set</p>
        <p className="faint">
          <code>budgets</code> in legion.yaml sets time, turns, tokens and dollars.
        </p>
      </Tile>
    );
  return (
    <Tile title="Budgets">
      {day !== undefined && <DayLines day={day} />}
      <p className="number">Per worker: {worker ?? 'no limit'}</p>
      <p className="number">Per issue: {issue ?? 'no limit'}</p>
      <p className="faint">Near a limit, Legion warns the worker, then asks you, then stops the worker.</p>
    </Tile>
  );
}

/** Returns undefined if nothing is limited. */
function describeBudget({ wallMs, turns, tokens, usd }: WorkerBudget): string | undefined {
  const limits = [
    ...(usd === undefined ? [] : [formatMoney(usd)]),
    ...(wallMs === undefined ? [] : [formatDuration(wallMs)]),
    ...(turns === undefined ? [] : [formatCount(turns, 'turn')]),
    ...(tokens === undefined ? [] : [formatTokens(tokens)]),
  ];
  return limits.length === 0 ? undefined : limits.join(' · ');
}

/** Shows the spending since local midnight and the daily limit. */
function DayLines({ day }: { readonly day: NonNullable<HealthView['day']> }) {
  const { usd, usdLimit, tokens, tokensLimit, refusal } = day;
  return (
    <>
      <p className="tile-main">
        Today <strong className="number">{formatMoney(usd)}</strong>
        {usdLimit === undefined ? '' : ` of ${formatMoney(usdLimit)}`}
      </p>
      {tokens > 0 && (
        <p className="faint">
          {tokens.toLocaleString('en')}
          {tokensLimit === undefined ? '' : ` of ${tokensLimit.toLocaleString('en')}`} tokens without a
          reported cost
        </p>
      )}
      {refusal !== undefined && (
        <p className="tile-refusal tone-warn" role="status">
          {refusal}
        </p>
      )}
    </>
  );
}
