/** The page of the present address; one that breaks takes nothing else with it. */
import { Component, type ReactNode, Suspense } from 'react';
import { PageTitle } from '../attention/attention.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorState } from '../components/error-state.tsx';
import { SkeletonLines } from '../components/skeleton.tsx';
import { Link } from '../router/link.tsx';
import { usePath } from '../router/location.ts';
import { match } from '../router/match.ts';
import { ROUTES } from '../routes.tsx';

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
      <PageTitle of="No such page" />
      <EmptyState icon="search" title="There is no such page">
        <code>{path}</code> leads nowhere. <Link to="/">Go to the board</Link>
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
        {/* A page of an older build asks for files that a newer daemon does not have: only a reload helps. */}
        <ErrorState error={error} title="This page broke" onRetry={() => window.location.reload()} />
      </div>
    );
  }
}
