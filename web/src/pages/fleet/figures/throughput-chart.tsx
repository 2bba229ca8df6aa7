/** Issues that came to Done, over time. */

import { counted } from '../../../../../src/domain/format.ts';
import type { Figures } from '../../../../../src/protocol/dashboard.ts';
import { OverTimeChart } from './over-time-chart.tsx';

export function ThroughputChart({ figures }: { readonly figures: Figures }) {
  return (
    <OverTimeChart
      figures={figures}
      of="done"
      title="Throughput"
      tone="accent"
      column="Issues done"
      isWhole
      nothing="No issue came to Done."
      empty="Nothing was finished in this time"
      sum={(total, most, when) =>
        `${counted(total, 'issue')} came to Done, the most of them (${most}) ${when}.`
      }
      says={(done) => `${counted(done, 'issue')} done`}
      cell={String}
      tick={String}
    />
  );
}
