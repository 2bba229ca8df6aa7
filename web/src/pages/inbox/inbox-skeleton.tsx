/** The inbox before its first answer, in the sizes it will have. */
import { Skeleton } from '../../components/skeleton.tsx';

const PLACES = ['one', 'two', 'three'];

export function InboxSkeleton() {
  return (
    <div className="inbox-group" aria-busy="true">
      <h2>
        <Skeleton width="7em" />
      </h2>
      {PLACES.map((place) => (
        <div key={place} className="inbox-item">
          <Skeleton width="46%" />
          <Skeleton width="88%" />
          <Skeleton height="52px" />
        </div>
      ))}
      <p className="unseen" role="status">
        Loading
      </p>
    </div>
  );
}
