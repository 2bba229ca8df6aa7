/** The verdict on a worker's health and spending, with the reasons and what would change it. */

import { Link } from 'wouter';
import { formatCount, formatDuration, formatTokens } from '../../../../../src/core/model/format.ts';
import type { WorkerStatusView } from '../../../../../src/protocol/workers.ts';
import { Details } from '../../../components/details.tsx';
import { Evidence } from '../../../components/evidence.tsx';
import { Fact } from '../../../components/fact.tsx';
import { formatMoney } from '../../../components/money.tsx';
import { StatusMark } from '../../../components/status-mark.tsx';
import { StoppingNote } from '../../../components/stopping-note.tsx';
import { Time } from '../../../components/time.tsx';
import { VerdictBadge } from '../../../components/verdict-badge.tsx';
import { formatAgent } from '../../../text/format-agent.ts';
import { toPlainText } from '../../../text/plain.ts';
import { toTranscriptPath } from '../../board/issue-path.ts';

export function WorkerVerdict({ worker }: { readonly worker: WorkerStatusView }) {
  const { mode, attempt, agent, model, status, startedAt, crashes, health, spending, checkpoint, issue } =
    worker;
  const used = [
    formatDuration(spending.wallMs),
    ...(spending.turns === 0 ? [] : [formatCount(spending.turns, 'turn')]),
    ...(spending.tokens === 0 ? [] : [formatTokens(spending.tokens)]),
    ...(spending.usd === 0 ? [] : [formatMoney(spending.usd)]),
  ];
  return (
    <section className="panel" aria-label={`Worker ${worker.id}`}>
      <h2 className="panel-head">
        <StatusMark state={status} stopping={worker.stopping} hasExited={worker.hasExited} /> {mode}{' '}
        <span className="faint">#{attempt}</span>
        <VerdictBadge verdict={health.verdict} />
        <Link className="panel-link" to={toTranscriptPath(issue, mode)}>
          Transcript
        </Link>
      </h2>
      <dl className="facts">
        {worker.stopping !== undefined && (
          <Fact name="Stop">
            <StoppingNote stopping={worker.stopping} />
          </Fact>
        )}
        <Fact name="Because">{toPlainText(health.why)}</Fact>
        {checkpoint !== undefined && (
          <Fact name="Checkpoint">
            {toPlainText(checkpoint.stage)}: {toPlainText(checkpoint.lastAction)}{' '}
            <Time at={checkpoint.at} suffix=" ago" />
          </Fact>
        )}
        <Fact name="Used">
          <span className="number-text">
            {used.join(' · ')}
            {spending.next !== 'nothing' &&
              ` · ${toPlainText(spending.why)} ${toPlainText(spending.wouldChange)}`}
          </span>
        </Fact>
        <Fact name="Attempt">
          {formatAgent(agent, model)}, began <Time at={startedAt} suffix=" ago" />
          {crashes > 0 && `, ${formatCount(crashes, 'crash', 'crashes')}`}
        </Fact>
      </dl>
      <Details>
        <dl className="facts">
          <Fact name="Next">{toPlainText(health.next.replaceAll('_', ' '))}</Fact>
          <Fact name="What would change it">{toPlainText(health.wouldChange)}</Fact>
          <Fact name="Evidence">
            <Evidence of={health.evidence} />
          </Fact>
        </dl>
      </Details>
    </section>
  );
}
