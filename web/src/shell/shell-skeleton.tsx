/** The frame before the daemon has said whose page it is: the same sizes, no words. */
import { Mark } from '../components/mark.tsx';
import { Skeleton } from '../components/states.tsx';

export function ShellSkeleton() {
  return (
    <div className="shell" aria-busy="true">
      <div className="header">
        <span className="header-name">
          <Mark />
          <Skeleton width="6em" />
        </span>
      </div>
      <div className="nav" />
      <main className="shell-page">
        <p className="unseen" role="status">
          Loading
        </p>
      </main>
    </div>
  );
}
