/** How many workers there is room for, how many places are taken, and on which machines. */
import { useQuery } from '@tanstack/react-query';
import type { HealthView } from '../../../../../src/protocol/operator.ts';
import { workersQuery } from '../../../api/queries.ts';
import { plain } from '../../../text/plain.ts';
import { hostsOf } from './hosts.ts';
import { Meter } from './meter.tsx';
import { Tile } from './tile.tsx';

export function CapacityTile({ health: { workers, host } }: { readonly health: HealthView }) {
  const { live, waiting, stopping = 0, limit } = workers;
  const { data = [] } = useQuery(workersQuery);
  const free = Math.max(0, limit - live - waiting);
  return (
    <Tile title="Capacity">
      <p className="tile-main">
        <strong className="number">{live}</strong> live, <strong className="number">{waiting}</strong>{' '}
        waiting, <strong className="number">{free}</strong> free
        {stopping > 0 && (
          <>
            , <strong className="number">{stopping}</strong> stopping
          </>
        )}
      </p>
      <Meter
        name={`${live} live and ${waiting} waiting of ${limit} places`}
        parts={[
          { id: 'live', share: live / limit, tone: 'work' },
          { id: 'waiting', share: waiting / limit, tone: 'warn' },
        ]}
      />
      <ul className="tile-lines" aria-label="Hosts">
        {hostsOf(host, data).map((load) => (
          <li key={load.host}>
            <span>{plain(load.host)}</span>
            <span className="faint number">
              {load.live} live, {load.waiting} waiting
            </span>
          </li>
        ))}
        <li>
          <span>Limit</span>
          <span className="faint number">{limit}</span>
        </li>
      </ul>
    </Tile>
  );
}
