/**
 * Page of an issue that cannot be read. If the issue has left the board, shows Legion's record of
 * it.
 */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { ApiError } from '../../api/api-error.ts';
import { PageTitle } from '../../attention/attention.tsx';
import { EmptyState, ErrorState } from '../../components/states.tsx';
import { createStoryQuery } from './queries.ts';
import { StoryTab } from './story/story-tab.tsx';

interface UnreadableIssueProps {
  readonly id: string;
  readonly error: Error;
  onRetry(): void;
}

export function UnreadableIssue({ id, error, onRetry }: UnreadableIssueProps) {
  const isUnknown = error instanceof ApiError && error.status === 404;
  const story = useInfiniteQuery({ ...createStoryQuery(id), enabled: isUnknown });
  const isRemembered = story.data?.pages.some(({ entries }) => entries.length > 0) ?? false;
  return (
    <div className="page issue-page">
      <PageTitle of={id} />
      {!isUnknown ? (
        <ErrorState title={`${id} could not be read`} error={error} onRetry={onRetry} />
      ) : isRemembered ? (
        <>
          <header className="issue-head">
            <h1 className="issue-title">{id} has left the board</h1>
            <p className="faint">Legion’s records of the issue:</p>
          </header>
          <StoryTab id={id} />
        </>
      ) : (
        <EmptyState icon="search" title={`${id} does not exist`}>
          The board has no issue with this id. <Link to="/">Go to the board</Link>
        </EmptyState>
      )}
    </div>
  );
}
