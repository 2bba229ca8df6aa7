/** The page at the current address. An error in it leaves the rest of the dashboard working. */
import { Component, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { PageTitle } from '../attention/attention.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../components/states.tsx';
import { PageLoadError, tryReload } from '../router/lazy-page.ts';
import { toHref } from '../router/location.ts';
import type { PageRoute } from '../router/page-route.ts';

export function OpenPage({ routes }: { readonly routes: readonly PageRoute[] }) {
  const [path] = useLocation();
  return (
    <PageGuard key={path}>
      <Suspense fallback={<PageSkeleton />}>
        <Switch>
          {routes.map(({ pattern, page }) => (
            <Route key={pattern} path={pattern} component={page} />
          ))}
          <Route>
            <PageNotFound path={path} />
          </Route>
        </Switch>
      </Suspense>
    </PageGuard>
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

class PageGuard extends Component<{ readonly children: ReactNode }, GuardState> {
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

/** A daemon restarts in about a second, and polling a local daemon costs little. */
const PROBE_INTERVAL_MS = 1_000;

function PageNotLoaded({ error }: { readonly error: Error }) {
  const [isBroken, setIsBroken] = useState(false);
  const [isAway, setIsAway] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const probe = async () => {
      const isThere = await isDaemonReachable();
      if (isOver) return;
      if (isThere) return setIsBroken(!tryReload());
      setIsAway(true);
      timer = setTimeout(probe, PROBE_INTERVAL_MS);
    };
    void probe();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, []);

  if (isBroken) {
    return (
      <ErrorState
        error={error}
        title="This page could not be loaded"
        onRetry={() => window.location.reload()}
      />
    );
  }
  if (!isAway) return null;
  return (
    <EmptyState icon="clock" title="The daemon is not running">
      <p>This page opens automatically as soon as the daemon is back. If it was stopped, start it:</p>
      <pre className="command">
        <code>legion up</code>
      </pre>
      <p className="outside-waiting" role="status">
        <span className="pulse" aria-hidden="true" /> Reconnecting
      </p>
    </EmptyState>
  );
}

async function isDaemonReachable(): Promise<boolean> {
  try {
    return (await fetch(toHref('/'), { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}
