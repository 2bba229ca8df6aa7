/** The page at the current address; an error in it leaves the rest of the dashboard working. */
import { Component, type ReactNode, Suspense } from 'react';
import { PageTitle } from '../attention/attention.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorState } from '../components/error-state.tsx';
import { SkeletonLines } from '../components/skeleton.tsx';
import { PageLoadError } from '../router/lazy-page.ts';
import { Link } from '../router/link.tsx';
import { usePath } from '../router/location.ts';
import { match } from '../router/match.ts';
import { ROUTES } from '../routes.tsx';
import { PageNotLoaded } from './page-not-loaded.tsx';

export function OpenPage() {
  const path = usePath();
  const found = match(ROUTES, path);
  if (found === undefined) return <Nowhere path={path} />;
  const { page: Page } = found.route;
  return (
    <Guard key={path}>
      <Suspense fallback={<PageSkeleton />}>
        <Page parts={found.parts} />
      </Suspense>
    </Guard>
  );
}

function Nowhere({ path }: { readonly path: string }) {
  return (
    <div className="page">
      <PageTitle of="Page not found" />
      <EmptyState icon="search" title="Page not found">
        There is no page at <code>{path}</code>. <Link to="/">Go to the board</Link>
      </EmptyState>
    </div>
  );
}

function PageSkeleton() {
  return (
    <div className="page">
      <SkeletonLines count={6} />
    </div>
  );
}

interface GuardState {
  readonly error: Error | null;
}

class Guard extends Component<{ readonly children: ReactNode }, GuardState> {
  override state: GuardState = { error: null };

  static getDerivedStateFromError(error: unknown): GuardState {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <div className="page">
        {error instanceof PageLoadError ? (
          <PageNotLoaded error={error} />
        ) : (
          <ErrorState
            error={error}
            title="Something went wrong on this page"
            onRetry={() => window.location.reload()}
          />
        )}
      </div>
    );
  }
}
