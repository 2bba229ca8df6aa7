/** The verdict on a worker's health and its spending, with the reasons and what would change it. */

import { Link } from 'wouter';
import { counted, span, tokensText } from '../../../../../src/domain/format.ts';
import type { WorkerStatusView } from '../../../../../src/protocol/operator.ts';
import { Details } from '../../../components/details.tsx';
import { Evidence } from '../../../components/evidence.tsx';
import { Fact } from '../../../components/fact.tsx';
import { money } from '../../../components/money.tsx';
import { StatusMark } from '../../../components/status-mark.tsx';
import { StoppingNote } from '../../../components/stopping-note.tsx';
import { Time } from '../../../components/time.tsx';
import { VerdictBadge } from '../../../components/verdict-badge.tsx';
import { agentWords } from '../../../text/agent-words.ts';
import { plain } from '../../../text/plain.ts';
import { transcriptPath } from '../../board/issue-path.ts';

export function WorkerVerdict({ worker }: { readonly worker: WorkerStatusView }) {
  const { mode, attempt, agent, model, status, startedAt, crashes, health, spending, checkpoint, issue } =
    worker;
  const used = [
    span(spending.wallMs),
    ...(spending.turns === 0 ? [] : [counted(spending.turns, 'turn')]),
    ...(spending.tokens === 0 ? [] : [tokensText(spending.tokens)]),
    ...(spending.usd === 0 ? [] : [money(spending.usd)]),
  ];
  return (
    <section className="panel" aria-label={`Worker ${worker.id}`}>
      <h2 className="panel-head">
        <StatusMark state={status} stopping={worker.stopping} hasExited={worker.hasExited} /> {mode}{' '}
        <span className="faint">#{attempt}</span>
        <VerdictBadge verdict={health.verdict} />
        <Link className="panel-link" to={transcriptPath(issue, mode)}>
          Transcript
        </Link>
      </h2>
      <dl className="facts">
        {worker.stopping !== undefined && (
          <Fact name="Stop">
            <StoppingNote stopping={worker.stopping} />
          </Fact>
        )}
        <Fact name="Because">{plain(health.why)}</Fact>
        {checkpoint !== undefined && (
          <Fact name="Has come to">
            {plain(checkpoint.stage)}: {plain(checkpoint.lastAction)}{' '}
            <Time at={checkpoint.at} suffix=" ago" />
          </Fact>
        )}
        <Fact name="Used">
          <span className="number-text">
            {used.join(' · ')}
            {spending.next !== 'nothing' && ` · ${plain(spending.why)} ${plain(spending.wouldChange)}`}
          </span>
        </Fact>
        <Fact name="Life">
          {agentWords(agent, model)}, began <Time at={startedAt} suffix=" ago" />
          {crashes > 0 && `, ${counted(crashes, 'crash', 'crashes')}`}
        </Fact>
      </dl>
      <Details>
        <dl className="facts">
          <Fact name="Next">{plain(health.next.replaceAll('_', ' '))}</Fact>
          <Fact name="Would change it">{plain(health.wouldChange)}</Fact>
          <Fact name="Evidence">
            <Evidence of={health.evidence} />
          </Fact>
        </dl>
      </Details>
    </section>
  );
}
