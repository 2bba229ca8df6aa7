/** What an issue is, where it stands and what it has cost, in the same place whatever part of its page is open. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { boardQuery } from '../../../api/queries.ts';
import { Badge } from '../../../components/badge.tsx';
import { Fact } from '../../../components/fact.tsx';
import { Money } from '../../../components/money.tsx';
import { Problems } from '../../../components/problems.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { StatusMark } from '../../../components/status-mark.tsx';
import { Time } from '../../../components/time.tsx';
import { Link } from '../../../router/link.tsx';
import { plain } from '../../../text/plain.ts';
import { issuePath } from '../../board/issue-path.ts';
import { PriorityMark } from '../../board/priority-mark.tsx';
import { ActionBar } from '../actions/action-bar.tsx';
import type { IssueDetail } from '../issue-detail.ts';
import { likeliest } from '../likeliest.ts';
import { explainQuery } from '../queries.ts';
import { PullRequestFact } from './pull-request-fact.tsx';

export function IssueHeader({
  id,
  detail,
}: {
  readonly id: string;
  readonly detail: IssueDetail | undefined;
}) {
  // Whoever comes from the board has the card already: its words are there before the daemon has answered.
  const card = useQueryClient()
    .getQueryData(boardQuery.queryKey)
    ?.cards.find((each) => each.id === id);
  const { data: explanation, isError } = useQuery(explainQuery(id));
  const issue = detail?.issue ?? card;
  const worker = detail && likeliest(detail.workers);
  const spent = explanation?.spent;
  const since = explanation?.since ?? card?.since;
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
            <Badge tone="accent">{plain(issue.column)}</Badge>
            <PriorityMark priority={issue.priority} />
          </>
        )}
        <ActionBar id={id} detail={detail} hasQuestion={(explanation?.openQuestions.length ?? 0) > 0} />
      </div>
      <h1 className="issue-title">
        {issue === undefined ? <Skeleton width="min(420px, 80%)" /> : <bdi>{plain(issue.title)}</bdi>}
      </h1>
      <Labels of={issue} detail={detail} />
      <Problems of={issue?.problems} />
      <dl className="issue-facts">
        <Fact name="Worker">
          {detail === undefined ? (
            <Skeleton width="110px" />
          ) : worker === undefined ? (
            <span className="faint">none yet</span>
          ) : (
            <>
              <StatusMark state={worker.status} /> {worker.mode}{' '}
              <span className="faint">
                #{worker.attempt} · <Time at={worker.since} />
              </span>
            </>
          )}
        </Fact>
        <Fact name="Pull request">
          {detail === undefined ? <Skeleton width="150px" /> : <PullRequestFact of={detail.pullRequest} />}
        </Fact>
        <Fact name="In this state">
          {since !== undefined && since !== null ? (
            <Time at={since} />
          ) : explanation === undefined && !isError ? (
            <Skeleton width="40px" />
          ) : (
            <span className="faint">{isError ? 'not known' : 'just now'}</span>
          )}
        </Fact>
        {detail?.issue.assignee !== undefined && (
          <Fact name="Assigned to">
            <bdi>{plain(detail.issue.assignee)}</bdi>
          </Fact>
        )}
        <Fact name="Cost">
          {spent === undefined ? (
            isError ? (
              <span className="faint">not known</span>
            ) : (
              <Skeleton width="90px" />
            )
          ) : (
            <>
              <Money usd={spent.usd} />
              {spent.tokens > 0 && (
                <span className="faint number"> · {spent.tokens.toLocaleString('en')} tokens</span>
              )}
            </>
          )}
        </Fact>
      </dl>
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
        <Badge key={label}>{plain(label)}</Badge>
      ))}
      {of !== undefined && of.blockedBy.length > 0 && (
        <span className="issue-blocked">
          waits for{' '}
          {of.blockedBy.map((blocker) => (
            <Link key={blocker} to={issuePath(blocker)}>
              {blocker}
            </Link>
          ))}
        </span>
      )}
      {parent !== undefined && (
        <span className="issue-blocked">
          part of <Link to={issuePath(parent)}>{parent}</Link>
        </span>
      )}
    </div>
  );
}
