/** Draws one bar with several parts. The length of each part shows its share. */

export interface ChartShare {
  readonly name: string;
  readonly count: number;
  readonly tone: 'good' | 'bad' | 'open';
}

/** Height of the bar in pixels, without the legend below it. */
export const SHARES_HEIGHT = 28;
const GAP = 2;

export function Shares({
  width,
  shares,
}: {
  readonly width: number;
  readonly shares: readonly ChartShare[];
}) {
  const present = shares.filter(({ count }) => count > 0);
  const total = present.reduce((sum, { count }) => sum + count, 0);
  const available = width - GAP * (present.length - 1);
  return present.map(({ name, count, tone }, index) => {
    const before = present.slice(0, index).reduce((sum, each) => sum + each.count, 0);
    return (
      <rect
        key={name}
        className={`share share-${tone}`}
        x={(before / total) * available + index * GAP}
        width={Math.max(2, (count / total) * available)}
        y={2}
        height={SHARES_HEIGHT - 4}
        rx={3}
      />
    );
  });
}

export function ShareLegend({ shares }: { readonly shares: readonly ChartShare[] }) {
  return shares.map(({ name, count, tone }) => (
    <span key={name} className="share-name">
      <span className={`share-mark share-mark-${tone}`} aria-hidden="true" />
      {count} {name}
    </span>
  ));
}
