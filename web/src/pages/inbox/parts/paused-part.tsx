/**
 * A paused issue, or a pause of all worker starts: the reason, the facts behind it, and a button to
 * resume.
 */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { formatCount } from '../../../../../src/core/model/format.ts';
import type { IssueExplanation } from '../../../../../src/protocol/operator.ts';
import { createCall } from '../../../api/request.ts';
import { useActionMutation } from '../../../api/use-action-mutation.ts';
import { Button } from '../../../components/button.tsx';
import { EvidenceFold } from '../../../components/evidence.tsx';
import { FaultText, SkeletonLines } from '../../../components/states.tsx';
import { StatusMark } from '../../../components/status-mark.tsx';
import { Time } from '../../../components/time.tsx';
import { toPlainText } from '../../../text/plain.ts';
import { toIssuePath } from '../../board/issue-path.ts';
import { explainQuery } from '../../issue/queries.ts';
import { useRefreshOnEvents } from '../../issue/refresh-on-events.ts';
import { INBOX_STALE_QUERIES } from '../queries.ts';
import { InboxActionRow } from './action-row.tsx';
import { Folded } from './folded.tsx';

interface PausedPartProps {
  /** Null if all worker starts are paused. */
  readonly issue: string | null;
  readonly isOpen: boolean;
}

export function PausedPart({ issue, isOpen }: PausedPartProps) {
  const mutation = useActionMutation(INBOX_STALE_QUERIES);
  const call =
    issue === null
      ? createCall('POST /resume', { body: {} })
      : createCall('POST /issues/:id/resume', { params: { id: issue }, body: {} });
  return (
    <>
      {issue !== null && (
        <Folded label="What happened" isOpen={isOpen}>
          <Why issue={issue} />
        </Folded>
      )}
      <InboxActionRow error={mutation.error}>
        <Button
          variant="main"
          icon="play"
          data-does="r"
          isBusy={mutation.isPending}
          onClick={() => mutation.mutate({ call })}
        >
          {issue === null ? 'Resume starts' : 'Resume'}
        </Button>
        {issue !== null && <span className="faint">This resets rounds, crashes and budgets.</span>}
        {issue !== null && <Link to={toIssuePath(issue)}>Open the issue</Link>}
      </InboxActionRow>
    </>
  );
}

/** Number of events shown, the latest last. The issue's page has all of them. */
const MAX_EVENTS = 4;

function Why({ issue }: { readonly issue: string }) {
  useRefreshOnEvents(issue);
  const { data, error } = useQuery(explainQuery(issue));
  if (data === undefined) return error === null ? <SkeletonLines count={5} /> : <FaultText error={error} />;
  const { state, workers, history } = data;
  return (
    <div className="inbox-why">
      <p>{toPlainText(state.says)}</p>
      {filterUnsuccessful(workers).map((worker) => (
        <section key={worker.id}>
          <p>
            <StatusMark state={worker.status} /> {worker.mode}, attempt {worker.attempt}
            {worker.crashes > 0 && `, ${formatCount(worker.crashes, 'crash', 'crashes')}`}:{' '}
            {toPlainText(worker.health.why)}
          </p>
        </section>
      ))}
      {history.length > 0 && (
        <ul className="bullets" aria-label="What happened last">
          {history.slice(-MAX_EVENTS).map(({ at, what }) => (
            <li key={`${at} ${what}`}>
              <span className="faint">
                <Time at={at} suffix=" ago" />
              </span>{' '}
              {toPlainText(what)}
            </li>
          ))}
        </ul>
      )}
      <EvidenceFold
        of={[...state.evidence, ...filterUnsuccessful(workers).flatMap(({ health }) => health.evidence)]}
      />
    </div>
  );
}

/** Returns the workers that did not end successfully. */
function filterUnsuccessful(workers: IssueExplanation['workers']): IssueExplanation['workers'] {
  return workers.filter(({ status }) => status === 'paused' || status === 'crashed' || status === 'stopped');
}
