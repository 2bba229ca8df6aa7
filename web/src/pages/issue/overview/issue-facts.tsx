/** Who works on the issue, its pull request, how long it stands where it stands, and what it has cost. */

import { useQueryClient } from '@tanstack/react-query';
import { tokensText } from '../../../../../src/domain/format.ts';
import type { PullRequestView } from '../../../../../src/protocol/board.ts';
import type { IssueDetail } from '../../../../../src/protocol/endpoints/issues.ts';
import type { Explanation } from '../../../../../src/protocol/operator.ts';
import { boardQuery } from '../../../api/queries.ts';
import { Badge, type Tone } from '../../../components/badge.tsx';
import { Fact } from '../../../components/fact.tsx';
import { Money } from '../../../components/money.tsx';
import { Skeleton } from '../../../components/states.tsx';
import { StatusMark } from '../../../components/status-mark.tsx';
import { Time } from '../../../components/time.tsx';
import { plain } from '../../../text/plain.ts';
import { likeliest } from '../likeliest-worker.ts';

interface IssueFactsProps {
  readonly id: string;
  readonly detail: IssueDetail | undefined;
  readonly explanation: Explanation | undefined;
  /** The explanation could not be read. */
  readonly isUnknown: boolean;
}

export function IssueFacts({ id, detail, explanation, isUnknown }: IssueFactsProps) {
  const card = useQueryClient()
    .getQueryData(boardQuery.queryKey)
    ?.cards.find((each) => each.id === id);
  const worker = detail && likeliest(detail.workers);
  const spent = explanation?.spent;
  const since = explanation?.since ?? card?.since;
  return (
    <aside aria-label="Facts">
      <dl className="issue-facts">
        <Fact name="Worker">
          {detail === undefined ? (
            <Skeleton width="110px" />
          ) : worker === undefined ? (
            <span className="faint">none yet</span>
          ) : (
            <>
              <StatusMark state={worker.status} stopping={worker.stopping} hasExited={worker.hasExited} />{' '}
              {worker.mode}{' '}
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
          ) : explanation === undefined && !isUnknown ? (
            <Skeleton width="40px" />
          ) : (
            <span className="faint">{isUnknown ? 'not known' : 'just now'}</span>
          )}
        </Fact>
        {detail?.issue.assignee !== undefined && (
          <Fact name="Assigned to">
            <bdi>{plain(detail.issue.assignee)}</bdi>
          </Fact>
        )}
        <Fact name="Cost">
          {spent === undefined ? (
            isUnknown ? (
              <span className="faint">not known</span>
            ) : (
              <Skeleton width="90px" />
            )
          ) : (
            <>
              <Money usd={spent.usd} />
              {spent.tokens > 0 && <span className="faint number"> · {tokensText(spent.tokens)}</span>}
            </>
          )}
        </Fact>
      </dl>
    </aside>
  );
}

interface Said {
  readonly says: string;
  readonly tone: Tone;
}

/** A pull request in a line: its number, and each thing that counts about it with a sign and a word. */
function PullRequestFact({ of }: { readonly of: PullRequestView | null }) {
  if (of === null) return <span className="faint">none yet</span>;
  const { number, state, draft, review, ci, mergeable, branch } = of;
  const marks: readonly Said[] =
    state === 'merged'
      ? [{ says: '✓ merged', tone: 'good' }]
      : [...(draft ? [DRAFT] : []), CI[ci], REVIEW[review], MERGE[mergeable]];
  return (
    <span className="issue-pull">
      <strong title={plain(branch)}>#{number}</strong>
      {marks.map(({ says, tone }) => (
        <Badge key={says} tone={tone}>
          {says}
        </Badge>
      ))}
    </span>
  );
}

const DRAFT: Said = { says: 'draft', tone: 'neutral' };

const CI: Readonly<Record<PullRequestView['ci'], Said>> = {
  passing: { says: '✓ CI passing', tone: 'good' },
  failing: { says: '✗ CI failing', tone: 'bad' },
  pending: { says: '… CI pending', tone: 'warn' },
  none: { says: 'no CI', tone: 'neutral' },
  unknown: { says: '? CI unknown', tone: 'warn' },
};

const REVIEW: Readonly<Record<PullRequestView['review'], Said>> = {
  approved: { says: '✓ approved', tone: 'good' },
  changes_requested: { says: '✗ changes requested', tone: 'bad' },
  none: { says: 'no review', tone: 'neutral' },
  unknown: { says: '? review unknown', tone: 'warn' },
};

const MERGE: Readonly<Record<PullRequestView['mergeable'], Said>> = {
  mergeable: { says: '✓ mergeable', tone: 'good' },
  conflicting: { says: '✗ conflicts', tone: 'bad' },
  unknown: { says: '? mergeable', tone: 'warn' },
};
