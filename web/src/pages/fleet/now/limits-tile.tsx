/** What workers may spend per day, per issue and each, as the operator configured it. */

import { counted, span, tokensText } from '../../../../../src/domain/format.ts';
import type { HealthView } from '../../../../../src/protocol/operator.ts';
import { money } from '../../../components/money.tsx';
import { Tile } from './tile.tsx';

type Budget = NonNullable<HealthView['budgets']>['worker'];

export function LimitsTile({ health: { budgets, day } }: { readonly health: HealthView }) {
  const [worker, issue] = [inWords(budgets?.worker ?? {}), inWords(budgets?.issue ?? {})];
  if (worker === undefined && issue === undefined && day === undefined)
    return (
      <Tile title="Budgets">
        <p className="tile-main">No limit is set</p>
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
      <p className="faint">Close to a limit the worker is warned, then you are asked, then it is stopped.</p>
    </Tile>
  );
}

/** Undefined where nothing is limited. */
function inWords({ wallMs, turns, tokens, usd }: Budget): string | undefined {
  const said = [
    ...(usd === undefined ? [] : [money(usd)]),
    ...(wallMs === undefined ? [] : [span(wallMs)]),
    ...(turns === undefined ? [] : [counted(turns, 'turn')]),
    ...(tokens === undefined ? [] : [tokensText(tokens)]),
  ];
  return said.length === 0 ? undefined : said.join(' · ');
}

/** What was spent since local midnight, of what may be. */
function DayLines({ day }: { readonly day: NonNullable<HealthView['day']> }) {
  const { usd, usdLimit, tokens, tokensLimit, refusal } = day;
  return (
    <>
      <p className="tile-main">
        Today <strong className="number">{money(usd)}</strong>
        {usdLimit === undefined ? '' : ` of ${money(usdLimit)}`}
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
