/** Title and state of an issue, in the same position on every tab of its page. */
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { IssueDetail } from '../../../../../src/protocol/endpoints/issues.ts';
import { boardQuery } from '../../../api/queries.ts';
import { Badge } from '../../../components/badge.tsx';
import { Problems } from '../../../components/problems.tsx';
import { Skeleton } from '../../../components/states.tsx';
import { toPlainText } from '../../../text/plain.ts';
import { toIssuePath } from '../../board/issue-path.ts';
import { PriorityMark } from '../../board/priority-mark.tsx';

interface IssueHeaderProps {
  readonly id: string;
  readonly detail: IssueDetail | undefined;
  readonly actions: ReactNode;
}

export function IssueHeader({ id, detail, actions }: IssueHeaderProps) {
  // If the person comes from the board, the card is already cached, so its title shows before the
  // daemon answers.
  const card = useQueryClient()
    .getQueryData(boardQuery.queryKey)
    ?.cards.find((each) => each.id === id);
  const issue = detail?.issue ?? card;
  return (
    <header className="issue-head">
      <div className="issue-line">
        <Link to="/" className="issue-back">
          Board
        </Link>
        <span className="faint" aria-hidden="true">
          /
        </span>
        <code className="issue-id">{id}</code>
        {issue === undefined ? (
          <Skeleton width="84px" height="18px" />
        ) : (
          <>
            <Badge tone="accent">{toPlainText(issue.column)}</Badge>
            <PriorityMark priority={issue.priority} />
          </>
        )}
        {actions}
      </div>
      <h1 className="issue-title" aria-label={issue === undefined ? `Loading ${id}` : undefined}>
        {issue === undefined ? <Skeleton width="min(420px, 80%)" /> : <bdi>{toPlainText(issue.title)}</bdi>}
      </h1>
      <Labels of={issue} detail={detail} />
      <Problems of={issue?.problems} />
    </header>
  );
}

interface LabelsProps {
  readonly of: { readonly labels: readonly string[]; readonly blockedBy: readonly string[] } | undefined;
  readonly detail: IssueDetail | undefined;
}

function Labels({ of, detail }: LabelsProps) {
  const parent = detail?.issue.parent;
  return (
    <div className="issue-labels">
      {of === undefined && <Skeleton width="120px" height="18px" />}
      {of?.labels.map((label) => (
        <Badge key={label}>{toPlainText(label)}</Badge>
      ))}
      {of !== undefined && of.blockedBy.length > 0 && (
        <span className="issue-blocked">
          waiting for{' '}
          {of.blockedBy.map((blocker) => (
            <Link key={blocker} to={toIssuePath(blocker)}>
              {blocker}
            </Link>
          ))}
        </span>
      )}
      {parent !== undefined && (
        <span className="issue-blocked">
          part of <Link to={toIssuePath(parent)}>{parent}</Link>
        </span>
      )}
    </div>
  );
}
