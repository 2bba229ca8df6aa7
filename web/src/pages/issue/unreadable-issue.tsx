/** The page of an issue that cannot be read: of one that has left the board, what is remembered of it. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { ApiError } from '../../api/api-error.ts';
import { PageTitle } from '../../attention/attention.tsx';
import { EmptyState, ErrorState } from '../../components/states.tsx';
import { storyQuery } from './queries.ts';
import { StoryTab } from './story/story-tab.tsx';

interface UnreadableIssueProps {
  readonly id: string;
  readonly error: Error;
  onRetry(): void;
}

export function UnreadableIssue({ id, error, onRetry }: UnreadableIssueProps) {
  const isUnknown = error instanceof ApiError && error.status === 404;
  const story = useInfiniteQuery({ ...storyQuery(id), enabled: isUnknown });
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
            <p className="faint">This is what Legion remembers of it.</p>
          </header>
          <StoryTab id={id} />
        </>
      ) : (
        <EmptyState icon="search" title={`There is no ${id}`}>
          It is not on the board. <Link to="/">Go to the board</Link>
        </EmptyState>
      )}
    </div>
  );
}
