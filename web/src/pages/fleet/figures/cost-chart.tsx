/** What the agents cost, over time. */
import type { Figures } from '../../../../../src/protocol/dashboard.ts';
import { money } from '../../../components/money.tsx';
import { OverTimeChart } from './over-time-chart.tsx';

export function CostChart({ figures }: { readonly figures: Figures }) {
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
