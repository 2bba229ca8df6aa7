/**
 * Shows the worker of an issue and its last activity, or what the issue is waiting for and who can
 * end the wait.
 */

import { hasEnded, isLive } from '../../../../src/core/model/lifecycle.ts';
import { isFinished } from '../../../../src/core/model/status.ts';
import type { DashboardCard } from '../../../../src/protocol/dashboard.ts';
import { Icon } from '../../components/icon.tsx';
import { Problems } from '../../components/problems.tsx';
import { StatusMark } from '../../components/status-mark.tsx';
import { StoppingNote } from '../../components/stopping-note.tsx';
import { Time } from '../../components/time.tsx';
import { toPlainText } from '../../text/plain.ts';

export function CardWork({
  card,
  asOf,
}: {
  readonly card: DashboardCard;
  readonly asOf: number | undefined;
}) {
  const { worker, status } = card;
  const isOver = isFinished(status);
  return (
    <>
      {worker !== null && !(isOver && hasEnded(worker.state) && worker.stopping === undefined) && (
        <WorkerLines worker={worker} asOf={asOf} />
      )}
      {!isOver && <Waiting card={card} />}
      <Problems of={card.problems} />
    </>
  );
}

interface WorkerLinesProps {
  readonly worker: NonNullable<DashboardCard['worker']>;
  readonly asOf: number | undefined;
}

function WorkerLines({ worker, asOf }: WorkerLinesProps) {
  const { state, stopping, hasExited, mode, attempt, since, last } = worker;
  return (
    <div className="card-worker">
      <div className="card-worker-line">
        <StatusMark state={state} stopping={stopping} hasExited={hasExited} />
        <span className="card-mode">
          {mode}
          {attempt > 1 && <span title={`Attempt ${attempt}`}> #{attempt}</span>}
        </span>
        <Time at={since} asOf={asOf} />
      </div>
      {stopping !== undefined && (
        <div className="card-last">
          <StoppingNote stopping={stopping} asOf={asOf} />
        </div>
      )}
      {last !== null && !hasEnded(state) && (
        <div className="card-last">
          <span dir="auto" title={toPlainText(last.what)}>
            {toPlainText(last.what)}
          </span>
          <Time at={last.at} asOf={asOf} suffix=" ago" />
        </div>
      )}
    </div>
  );
}

function Waiting({ card: { worker, waits, blockedBy, needsYou } }: { readonly card: DashboardCard }) {
  // If a worker is running, the line above already shows it.
  const isWorking = worker !== null && isLive(worker.state) && !needsYou;
  const icon = blockedBy.length > 0 ? 'blocked' : 'clock';
  if (waits === null || waits.by === 'nothing_more' || isWorking) {
    if (blockedBy.length === 0) return null;
    return (
      <p className="card-waits">
        <Icon name="blocked" size={13} />
        <span>blocked by {blockedBy.join(', ')}</span>
      </p>
    );
  }
  return (
    <p className={needsYou ? 'card-waits is-for-you' : 'card-waits'} title={toPlainText(waits.what)}>
      <Icon name={icon} size={13} />
      <span>
        <span dir="auto">{toPlainText(waits.says)}</span>{' '}
        {waits.by === 'person' && <span className="card-by">you</span>}
      </span>
    </p>
  );
}
