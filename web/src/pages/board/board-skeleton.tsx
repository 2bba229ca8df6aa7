/** The board before it is there: columns and cards of the final size. */
import { Skeleton } from '../../components/skeleton.tsx';
import { useSession } from '../../session/gate.tsx';

/** Some more, some fewer, as on a real board. */
const CARDS = [3, 1, 2, 4, 3, 2, 2, 1, 4];

export function BoardSkeleton() {
  const { statuses } = useSession();
  return (
    <div className="board-room board" aria-busy="true">
      <p className="unseen" role="status">
        Reading the board
      </p>
      {statuses.map(({ status, column }, index) => (
        <div key={status} className="column" aria-hidden="true">
          <div className="column-head">
            <span className="column-name">{column}</span>
          </div>
          <div className="column-cards skeleton-cards">
            {Array.from({ length: CARDS[index % CARDS.length] ?? 2 }, (_, card) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cards without content have nothing but their place.
              <div key={card} className="card">
                <Skeleton width="30%" height="10px" />
                <Skeleton width="90%" height="12px" />
                <Skeleton width="60%" height="12px" />
              </div>
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}
