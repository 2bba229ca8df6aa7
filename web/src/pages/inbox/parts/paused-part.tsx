/** A paused issue, or all starts: why, by the facts, and the way to let it go on. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { counted } from '../../../../../src/domain/format.ts';
import type { Explanation } from '../../../../../src/protocol/operator.ts';
import { call } from '../../../api/request.ts';
import { Button } from '../../../components/button.tsx';
import { EvidenceFold } from '../../../components/evidence.tsx';
import { FaultText, SkeletonLines } from '../../../components/states.tsx';
import { StatusMark } from '../../../components/status-mark.tsx';
import { Time } from '../../../components/time.tsx';
import { plain } from '../../../text/plain.ts';
import { issuePath } from '../../board/issue-path.ts';
import { useKeptCurrent } from '../../issue/keep-current.ts';
import { explainQuery } from '../../issue/queries.ts';
import { useSettle } from '../settle.ts';
import { SettleRow } from './action-row.tsx';
import { Folded } from './folded.tsx';

interface PausedPartProps {
  /** Null where no worker at all is started. */
  readonly issue: string | null;
  readonly isOpen: boolean;
}

export function PausedPart({ issue, isOpen }: PausedPartProps) {
  const settle = useSettle();
  const resuming =
    issue === null
      ? call('POST /resume', { body: {} })
      : call('POST /issues/:id/resume', { params: { id: issue }, body: {} });
  return (
    <>
      {issue !== null && (
        <Folded says="What happened" isOpen={isOpen}>
          <Why issue={issue} />
        </Folded>
      )}
      <SettleRow error={settle.error}>
        <Button
          look="main"
          icon="play"
          data-does="r"
          isBusy={settle.isPending}
          onClick={() => settle.run({ call: resuming })}
        >
          {issue === null ? 'Start workers again' : 'Resume'}
        </Button>
        {issue !== null && <span className="faint">Rounds, crashes and budgets then count anew.</span>}
        {issue !== null && <Link to={issuePath(issue)}>Open the issue</Link>}
      </SettleRow>
    </>
  );
}

/** What happened last is at the end; the page of the issue has all of it. */
const EVENTS_MOST = 4;

function Why({ issue }: { readonly issue: string }) {
  useKeptCurrent(issue);
  const { data, error } = useQuery(explainQuery(issue));
  if (data === undefined) return error === null ? <SkeletonLines count={5} /> : <FaultText error={error} />;
  const { state, workers, history } = data;
  return (
    <div className="inbox-why">
      <p>{plain(state.says)}</p>
      {inDoubt(workers).map((worker) => (
        <section key={worker.id}>
          <p>
            <StatusMark state={worker.status} /> {worker.mode}, attempt {worker.attempt}
            {worker.crashes > 0 && `, ${counted(worker.crashes, 'crash', 'crashes')}`}:{' '}
            {plain(worker.health.why)}
          </p>
        </section>
      ))}
      {history.length > 0 && (
        <ul className="bullets" aria-label="What happened last">
          {history.slice(-EVENTS_MOST).map(({ at: when, what }) => (
            <li key={`${when} ${what}`}>
              <span className="faint">
                <Time at={when} suffix=" ago" />
              </span>{' '}
              {plain(what)}
            </li>
          ))}
        </ul>
      )}
      <EvidenceFold of={[...state.evidence, ...inDoubt(workers).flatMap(({ health }) => health.evidence)]} />
    </div>
  );
}

/** Those whose end was no success. */
function inDoubt(workers: Explanation['workers']): Explanation['workers'] {
  return workers.filter(({ status }) => status === 'paused' || status === 'crashed' || status === 'stopped');
}
