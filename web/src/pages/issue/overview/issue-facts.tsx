/**
 * Facts about an issue: its worker, its pull request, its time in the current status, and its cost.
 */

import { useQueryClient } from '@tanstack/react-query';
import { formatTokens } from '../../../../../src/core/model/format.ts';
import type { PullRequestView } from '../../../../../src/protocol/board.ts';
import type { IssueDetail } from '../../../../../src/protocol/endpoints/issues.ts';
import type { IssueExplanation } from '../../../../../src/protocol/operator.ts';
import { boardQuery } from '../../../api/queries.ts';
import { Badge, type Tone } from '../../../components/badge.tsx';
import { Fact } from '../../../components/fact.tsx';
import { Money } from '../../../components/money.tsx';
import { Skeleton } from '../../../components/states.tsx';
import { StatusMark } from '../../../components/status-mark.tsx';
import { Time } from '../../../components/time.tsx';
import { toPlainText } from '../../../text/plain.ts';
import { pickLikeliestWorker } from '../likeliest-worker.ts';

interface IssueFactsProps {
  readonly id: string;
  readonly detail: IssueDetail | undefined;
  readonly explanation: IssueExplanation | undefined;
  /** Whether the explanation could not be read. */
  readonly isUnknown: boolean;
}

export function IssueFacts({ id, detail, explanation, isUnknown }: IssueFactsProps) {
  const card = useQueryClient()
    .getQueryData(boardQuery.queryKey)
    ?.cards.find((each) => each.id === id);
  const worker = detail && pickLikeliestWorker(detail.workers);
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
            <bdi>{toPlainText(detail.issue.assignee)}</bdi>
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
              {spent.tokens > 0 && <span className="faint number"> · {formatTokens(spent.tokens)}</span>}
            </>
          )}
        </Fact>
      </dl>
    </aside>
  );
}

interface LabelledTone {
  readonly label: string;
  readonly tone: Tone;
}

/** A pull request in one line: its number and each relevant state with a symbol and a word. */
function PullRequestFact({ of }: { readonly of: PullRequestView | null }) {
  if (of === null) return <span className="faint">none yet</span>;
  const { number, state, draft, review, ci, mergeable, branch } = of;
  const marks: readonly LabelledTone[] =
    state === 'merged'
      ? [{ label: '✓ merged', tone: 'good' }]
      : [...(draft ? [DRAFT] : []), CI[ci], REVIEW[review], MERGE[mergeable]];
  return (
    <span className="issue-pull">
      <strong title={toPlainText(branch)}>#{number}</strong>
      {marks.map(({ label, tone }) => (
        <Badge key={label} tone={tone}>
          {label}
        </Badge>
      ))}
    </span>
  );
}

const DRAFT: LabelledTone = { label: 'draft', tone: 'neutral' };

const CI: Readonly<Record<PullRequestView['ci'], LabelledTone>> = {
  passing: { label: '✓ CI passing', tone: 'good' },
  failing: { label: '✗ CI failing', tone: 'bad' },
  timed_out: { label: '✗ CI timed out', tone: 'bad' },
  interrupted: { label: '✗ CI interrupted', tone: 'bad' },
  action_required: { label: '✗ CI needs a person', tone: 'bad' },
  pending: { label: '… CI pending', tone: 'warn' },
  none: { label: 'no CI', tone: 'neutral' },
  unknown: { label: '? CI unknown', tone: 'warn' },
};

const REVIEW: Readonly<Record<PullRequestView['review'], LabelledTone>> = {
  approved: { label: '✓ approved', tone: 'good' },
  changes_requested: { label: '✗ changes requested', tone: 'bad' },
  none: { label: 'no review', tone: 'neutral' },
  unknown: { label: '? review unknown', tone: 'warn' },
};

const MERGE: Readonly<Record<PullRequestView['mergeable'], LabelledTone>> = {
  mergeable: { label: '✓ mergeable', tone: 'good' },
  conflicting: { label: '✗ conflicts', tone: 'bad' },
  unknown: { label: '? mergeable', tone: 'warn' },
};
