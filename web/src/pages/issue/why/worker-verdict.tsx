/** The verdict on a worker's health and its spending, with the reasons and what would change it. */

import { span } from '../../../../../src/domain/span.ts';
import type { WorkerStatusView } from '../../../../../src/protocol/operator.ts';
import { Badge, type Tone } from '../../../components/badge.tsx';
import { money } from '../../../components/money.tsx';
import { StatusMark } from '../../../components/status-mark.tsx';
import { Time } from '../../../components/time.tsx';
import { Link } from '../../../router/link.tsx';
import { plain } from '../../../text/plain.ts';
import { issuePath } from '../../board/issue-path.ts';
import { Evidence, Fold } from '../fold.tsx';

export function WorkerVerdict({ worker }: { readonly worker: WorkerStatusView }) {
  const { mode, attempt, agent, model, status, startedAt, crashes, health, spending, checkpoint, issue } =
    worker;
  const used = [
    span(spending.wallMs),
    ...(spending.turns === 0 ? [] : [`${spending.turns} ${spending.turns === 1 ? 'turn' : 'turns'}`]),
    ...(spending.tokens === 0 ? [] : [`${spending.tokens.toLocaleString('en')} tokens`]),
    ...(spending.usd === 0 ? [] : [money(spending.usd)]),
  ];
  return (
    <section className="panel" aria-label={`Worker ${worker.id}`}>
      <h2 className="panel-head">
        <StatusMark state={status} /> {mode} <span className="faint">#{attempt}</span>
        <Badge tone={TONES[health.verdict] ?? 'neutral'}>{health.verdict}</Badge>
        <Link className="panel-link" to={`${issuePath(issue)}?tab=transcript&worker=${mode}`}>
          Transcript
        </Link>
      </h2>
      <dl className="facts">
        <div>
          <dt>Because</dt>
          <dd>{plain(health.why)}</dd>
        </div>
        <div>
          <dt>Next</dt>
          <dd>{plain(health.next.replaceAll('_', ' '))}</dd>
        </div>
        <div>
          <dt>Would change it</dt>
          <dd>{plain(health.wouldChange)}</dd>
        </div>
        {checkpoint !== undefined && (
          <div>
            <dt>Has come to</dt>
            <dd>
              {plain(checkpoint.stage)}: {plain(checkpoint.lastAction)}{' '}
              <Time at={checkpoint.at} suffix=" ago" />
            </dd>
          </div>
        )}
        <div>
          <dt>Used</dt>
          <dd className="number-text">
            {used.join(' · ')}
            {spending.next !== 'nothing' && ` · ${plain(spending.why)} ${plain(spending.wouldChange)}`}
          </dd>
        </div>
        <div>
          <dt>Life</dt>
          <dd>
            {[agent, model].filter((part) => part !== undefined).join(' ') || 'agent not known'}, began{' '}
            <Time at={startedAt} suffix=" ago" />
            {crashes > 0 && `, ${crashes} ${crashes === 1 ? 'crash' : 'crashes'}`}
          </dd>
        </div>
      </dl>
      {health.evidence.length > 0 && (
        <Fold says={`Evidence (${health.evidence.length})`}>
          <Evidence of={health.evidence} />
        </Fold>
      )}
    </section>
  );
}

const TONES: Readonly<Record<string, Tone>> = {
  healthy: 'good',
  starting: 'work',
  suspicious: 'warn',
  crashed: 'bad',
  corrupt: 'bad',
  zombie: 'bad',
};
