/** Workers that Legion ended because it took them for dead, and how often that was wrong. */
import type { Figures } from '../../../../../src/protocol/dashboard.ts';
import { Chart } from '../../../charts/chart.tsx';
import { SHARES_HEIGHT, type Share, ShareLegend, Shares } from '../../../charts/shares.tsx';
import { killWords } from './words.ts';

export function KillsChart({ figures: { kills } }: { readonly figures: Figures }) {
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
