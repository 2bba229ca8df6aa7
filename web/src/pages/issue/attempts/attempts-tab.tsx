/** All attempts of all workers of an issue, latest first. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { formatCount, formatDuration, formatTokens } from '../../../../../src/core/model/format.ts';
import { LIFECYCLE_STATES } from '../../../../../src/core/model/lifecycle.ts';
import type { AttemptView } from '../../../../../src/protocol/dashboard.ts';
import { useNow } from '../../../clock/clock.tsx';
import { formatMoment } from '../../../clock/format-time.ts';
import { Badge } from '../../../components/badge.tsx';
import { EvidenceFold } from '../../../components/evidence.tsx';
import { formatMoney } from '../../../components/money.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../../components/states.tsx';
import { StatusMark } from '../../../components/status-mark.tsx';
import { TimeOfDay } from '../../../components/time.tsx';
import { formatAgent } from '../../../text/format-agent.ts';
import { toPlainText } from '../../../text/plain.ts';
import { toTranscriptPath } from '../../board/issue-path.ts';
import { createAttemptsQuery } from '../queries.ts';

export function AttemptsTab({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(createAttemptsQuery(id));
  if (data === undefined) {
    if (error === null) return <SkeletonLines count={8} />;
    return <ErrorState title="The attempts could not be read" error={error} onRetry={() => void refetch()} />;
  }
  if (data.length === 0) {
    return (
      <EmptyState icon="clock" title="No attempts yet">
        Each attempt appears here with its agent, outcome, report and cost.
      </EmptyState>
    );
  }
  const usd = data.reduce((sum, { spent }) => sum + spent.usd, 0);
  const latestFirst = data.toSorted((one, other) => other.dispatchedAt - one.dispatchedAt);
  return (
    <div className="attempts">
      <p className="faint">
        {formatCount(data.length, 'attempt')}, {formatMoney(usd)} together.
      </p>
      <ol className="attempt-list">
        {latestFirst.map((attempt) => (
          <li key={`${attempt.mode} ${attempt.attempt}`}>
            <OneAttempt issue={id} attempt={attempt} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function OneAttempt({ issue, attempt: view }: { readonly issue: string; readonly attempt: AttemptView }) {
  const { mode, attempt, agent, model, state, dispatchedAt, endedAt, ending, report, spent, verdicts } = view;
  const duration = useNow((now) => formatDuration((endedAt ?? now) - dispatchedAt));
  const knownState = LIFECYCLE_STATES.find((each) => each === state);
  return (
    <section className="panel" aria-label={`${mode}, attempt ${attempt}`}>
      <h2 className="panel-head">
        {mode} <span className="faint">#{attempt}</span>
        {knownState === undefined ? <Badge>{toPlainText(state)}</Badge> : <StatusMark state={knownState} />}
        <Link className="panel-link" to={toTranscriptPath(issue, mode, attempt)}>
          Transcript
        </Link>
      </h2>
      <p className="attempt-facts faint number-text">
        <span>{formatAgent(agent, model)}</span>
        <span title={formatMoment(dispatchedAt)}>began {formatMoment(dispatchedAt)}</span>
        <span>{endedAt === null ? `for ${duration}` : `lasted ${duration}`}</span>
        {spent.turns > 0 && <span>{formatCount(spent.turns, 'turn')}</span>}
        {spent.tokens > 0 && <span>{formatTokens(spent.tokens)}</span>}
        <span>{formatMoney(spent.usd)}</span>
      </p>
      {ending !== null && <p className="text">{toPlainText(ending)}</p>}
      {report !== null && (
        <p className="report">
          <Badge tone={report.outcome === 'done' ? 'good' : 'bad'}>
            {report.outcome === 'done' ? '✓ reported done' : '✗ reported an error'}
          </Badge>{' '}
          <span className="text">{toPlainText(report.summary)}</span>
        </p>
      )}
      <Verdicts of={verdicts} />
    </section>
  );
}

/** Shows the health verdicts on an attempt, with their evidence. */
function Verdicts({ of }: { readonly of: AttemptView['verdicts'] }) {
  if (of.length === 0) return null;
  return (
    <ol className="verdicts" aria-label="Verdicts">
      {of.map(({ at, says, evidence }) => (
        <li key={`${at} ${says}`}>
          <TimeOfDay at={at} />
          <div>
            <p>{toPlainText(says)}</p>
            <EvidenceFold of={evidence} />
          </div>
        </li>
      ))}
    </ol>
  );
}
