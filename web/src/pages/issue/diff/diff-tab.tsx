/** What an issue's work changes: its files, and every line of them. */
import { useQuery } from '@tanstack/react-query';
import type { Diff } from '../../../../../src/protocol/dashboard.ts';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { SkeletonLines } from '../../../components/skeleton.tsx';
import { plain } from '../../../text/plain.ts';
import { diffQuery } from '../queries.ts';
import { DiffView } from './diff-view.tsx';

export function DiffTab({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(diffQuery(id));
  if (data === undefined) {
    if (error === null) return <SkeletonLines count={12} />;
    return <ErrorState title="The changes could not be read" error={error} onRetry={() => void refetch()} />;
  }
  if (data.files.length > 0) return <DiffView diff={data} />;
  return (
    <EmptyState icon="pull" title={TITLES[data.of]}>
      {plain(data.says)}
    </EmptyState>
  );
}

const TITLES: Readonly<Record<Diff['of'], string>> = {
  pull_request: 'The pull request changes nothing',
  workspace: 'The workspace has no changes',
  nothing: 'Nothing to compare yet',
};
