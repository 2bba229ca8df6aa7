/** One bar of several parts, each as long as its share. */

export interface Share {
  readonly name: string;
  readonly count: number;
  readonly tone: 'good' | 'bad' | 'open';
}

/** Pixels of the bar; what is below it is the legend's. */
export const SHARES_HEIGHT = 28;
const GAP = 2;

export function Shares({ width, shares }: { readonly width: number; readonly shares: readonly Share[] }) {
  const present = shares.filter(({ count }) => count > 0);
  const total = present.reduce((sum, { count }) => sum + count, 0);
  const room = width - GAP * (present.length - 1);
  return present.map(({ name, count, tone }, index) => {
    const before = present.slice(0, index).reduce((sum, each) => sum + each.count, 0);
    return (
      <rect
        key={name}
        className={`share share-${tone}`}
        x={(before / total) * room + index * GAP}
        width={Math.max(2, (count / total) * room)}
        y={2}
        height={SHARES_HEIGHT - 4}
        rx={3}
      />
    );
  });
}

export function ShareLegend({ shares }: { readonly shares: readonly Share[] }) {
  return shares.map(({ name, count, tone }) => (
    <span key={name} className="share-name">
      <span className={`share-mark share-mark-${tone}`} aria-hidden="true" />
      {count} {name}
    </span>
  ));
}
