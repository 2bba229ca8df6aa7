/** Agent cost over time. */
import type { LegionFigures } from '../../../../../src/protocol/dashboard.ts';
import { formatMoney } from '../../../components/money.tsx';
import { OverTimeChart } from './over-time-chart.tsx';

export function CostChart({ figures }: { readonly figures: LegionFigures }) {
  return (
    <OverTimeChart
      figures={figures}
      of="usd"
      title="Cost"
      tone="money"
      column="Cost"
      isWhole={false}
      nothing="Nothing was spent."
      empty="Nothing was spent in this period"
      sum={(total, max, when) => `${formatMoney(total)} in total. Highest: ${formatMoney(max)}, ${when}.`}
      describe={formatMoney}
      cell={formatMoney}
      tick={formatAxisMoney}
    />
  );
}

/** The axis shows `$5`, not `$5.00`. */
function formatAxisMoney(usd: number): string {
  return usd === 0 || usd >= 1
    ? `$${usd.toLocaleString('en', { maximumFractionDigits: 1 })}`
    : formatMoney(usd);
}
