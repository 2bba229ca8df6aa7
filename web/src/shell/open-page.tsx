/** The page at the current address; an error in it leaves the rest of the dashboard working. */
import { Component, type ReactNode, Suspense } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { PageTitle } from '../attention/attention.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorState } from '../components/error-state.tsx';
import { SkeletonLines } from '../components/skeleton.tsx';
import { PageLoadError } from '../router/lazy-page.ts';
import { ROUTES } from '../routes.tsx';
import { PageNotLoaded } from './page-not-loaded.tsx';

export function OpenPage() {
  const [path] = useLocation();
  return (
    <Guard key={path}>
      <Suspense fallback={<PageSkeleton />}>
        <Switch>
          {ROUTES.map(({ pattern, page }) => (
            <Route key={pattern} path={pattern} component={page} />
          ))}
          <Route>
            <PageNotFound path={path} />
          </Route>
        </Switch>
      </Suspense>
    </Guard>
  );
}

function PageNotFound({ path }: { readonly path: string }) {
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
