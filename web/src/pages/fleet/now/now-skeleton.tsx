/** The tiles before the first answer. */
import { Skeleton } from '../../../components/skeleton.tsx';
import { Tile } from './tile.tsx';

export function NowSkeleton() {
  return (
    <div className="tiles" aria-busy="true">
      {['Capacity', 'Breaker', 'API budget', 'Budgets', 'Daemon'].map((title) => (
        <Tile key={title} title={title}>
          <Skeleton width="60%" height="20px" />
          <Skeleton />
          <Skeleton width="80%" />
        </Tile>
      ))}
    </div>
  );
}
