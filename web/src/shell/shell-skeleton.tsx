/**
 * Placeholder for the frame until the session is known. Its parts have their final sizes but no
 * text.
 */
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
