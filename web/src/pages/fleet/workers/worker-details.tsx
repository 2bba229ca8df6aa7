/** Health and budget verdicts of a worker with their evidence, and where it runs. */
import { useQuery } from '@tanstack/react-query';
import { formatCount, formatDuration, formatTokens } from '../../../../../src/core/model/format.ts';
import type { WorkerStatusView, WorkerView } from '../../../../../src/protocol/workers.ts';
import { EvidenceFold } from '../../../components/evidence.tsx';
import { Fact } from '../../../components/fact.tsx';
import { formatMoney } from '../../../components/money.tsx';
import { FaultText, SkeletonLines } from '../../../components/states.tsx';
import { StoppingNote } from '../../../components/stopping-note.tsx';
import { Time } from '../../../components/time.tsx';
import { VerdictBadge } from '../../../components/verdict-badge.tsx';
import { toPlainText } from '../../../text/plain.ts';
import { createWorkerStatusQuery } from '../queries.ts';

export function WorkerDetails({ worker }: { readonly worker: WorkerView }) {
  const { data: status, error } = useQuery(createWorkerStatusQuery(worker.id));
  return (
    <div className="worker-details">
      {status !== undefined ? (
        <Verdicts status={status} />
      ) : error === null ? (
        <SkeletonLines count={6} />
      ) : (
        <FaultText error={error} />
      )}
      <Facts worker={worker} />
    </div>
  );
}

function Verdicts({ status: { health, spending } }: { readonly status: WorkerStatusView }) {
  return (
    <>
      <section>
        <h3>
          Health <VerdictBadge verdict={health.verdict} />
        </h3>
        <p>{toPlainText(health.why)}</p>
        <p className="faint">What would change that: {toPlainText(health.wouldChange)}</p>
        <EvidenceFold of={health.evidence} />
      </section>
      <section>
        <h3>Budget</h3>
        <p>
          {formatMoney(spending.usd)}, {formatCount(spending.turns, 'turn')}, {formatTokens(spending.tokens)},{' '}
          {formatDuration(spending.wallMs)} of work
        </p>
        <p>{toPlainText(spending.why)}</p>
        <EvidenceFold of={spending.evidence} />
      </section>
    </>
  );
}

function Facts({ worker }: { readonly worker: WorkerView }) {
  const { host, pid, agent, model, attempt, crashes, sessionId, startedAt, workspace, checkpoint, report } =
    worker;
  return (
    <section>
      <h3>Facts</h3>
      <dl className="facts">
        {worker.stopping !== undefined && (
          <Fact name="Stop">
            <StoppingNote stopping={worker.stopping} />
          </Fact>
        )}
        <Fact name="Agent">
          {[agent ?? 'not known', model]
            .filter((part) => part !== undefined)
            .map(toPlainText)
            .join(', ')}
        </Fact>
        <Fact name="Attempt">
          {attempt}, started <Time at={startedAt} suffix=" ago" />; {formatCount(crashes, 'crash', 'crashes')}{' '}
          toward the limit
        </Fact>
        <Fact name="Where">
          {toPlainText(host)}
          {pid !== undefined && `, pid ${pid}`}
        </Fact>
        <Fact name="Session">
          <code>{sessionId}</code>
        </Fact>
        {workspace !== undefined && (
          <Fact name="Workspace">
            <code>{workspace}</code>
          </Fact>
        )}
        {checkpoint !== undefined && (
          <Fact name="Checkpoint">
            {toPlainText(checkpoint.stage)}, {checkpoint.completed.length} done, {checkpoint.remaining.length}{' '}
            left; last: {toPlainText(checkpoint.lastAction)}
          </Fact>
        )}
        {report !== undefined && (
          <Fact name="Report">
            {report.outcome}: {toPlainText(report.summary)}
          </Fact>
        )}
      </dl>
    </section>
  );
}
