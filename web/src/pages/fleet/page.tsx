/** The fleet page: capacity, the workers and their health, and statistics. */
import { useQuery } from '@tanstack/react-query';
import { healthQuery } from '../../api/queries.ts';
import { PageTitle } from '../../attention/attention.tsx';
import { ErrorState, Skeleton } from '../../components/states.tsx';
import '../../styles/chart.css';
import '../../styles/fleet.css';
import { FiguresPanel } from './figures/figures-panel.tsx';
import { NowPanel } from './now/now-panel.tsx';
import { Tile } from './now/tile.tsx';
import { WorkersPanel } from './workers/workers-panel.tsx';

export function FleetPage() {
  const { data: health, error, refetch } = useQuery(healthQuery);
  return (
    <div className="page fleet">
      <PageTitle of="Fleet" />
      <h1>Fleet</h1>
      {health !== undefined ? (
        <NowPanel health={health} />
      ) : error === null ? (
        <NowSkeleton />
      ) : (
        <ErrorState
          title="The daemon’s health could not be read"
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      <WorkersPanel />
      <FiguresPanel />
    </div>
  );
}

/** Placeholder for the tiles before the first response. */
function NowSkeleton() {
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
