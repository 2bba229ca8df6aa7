/** Every life of every worker of an issue, the latest first. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { counted, span, tokensText } from '../../../../../src/domain/format.ts';
import { LIFECYCLE_STATES } from '../../../../../src/domain/lifecycle.ts';
import type { Attempt } from '../../../../../src/protocol/dashboard.ts';
import { useNow } from '../../../clock/clock.tsx';
import { moment } from '../../../clock/words.ts';
import { Badge } from '../../../components/badge.tsx';
import { EvidenceFold } from '../../../components/evidence.tsx';
import { money } from '../../../components/money.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '../../../components/states.tsx';
import { StatusMark } from '../../../components/status-mark.tsx';
import { TimeOfDay } from '../../../components/time.tsx';
import { agentWords } from '../../../text/agent-words.ts';
import { plain } from '../../../text/plain.ts';
import { transcriptPath } from '../../board/issue-path.ts';
import { attemptsQuery } from '../queries.ts';

export function AttemptsTab({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(attemptsQuery(id));
  if (data === undefined) {
    if (error === null) return <SkeletonLines count={8} />;
    return <ErrorState title="The attempts could not be read" error={error} onRetry={() => void refetch()} />;
  }
  if (data.length === 0) {
    return (
      <EmptyState icon="clock" title="Nobody has worked on it yet">
        Each life of a worker shows here: who it was, how it ended, what it reported and what it cost.
      </EmptyState>
    );
  }
  const usd = data.reduce((sum, { spent }) => sum + spent.usd, 0);
  const latestFirst = data.toSorted((one, other) => other.dispatchedAt - one.dispatchedAt);
  return (
    <div className="attempts">
      <p className="faint">
        {counted(data.length, 'attempt')}, {money(usd)} together.
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

function OneAttempt({ issue, attempt: life }: { readonly issue: string; readonly attempt: Attempt }) {
  const { mode, attempt, agent, model, state, dispatchedAt, endedAt, ending, report, spent, verdicts } = life;
  const lasted = useNow((now) => span((endedAt ?? now) - dispatchedAt));
  const known = LIFECYCLE_STATES.find((each) => each === state);
  return (
    <section className="panel" aria-label={`${mode}, attempt ${attempt}`}>
      <h2 className="panel-head">
        {mode} <span className="faint">#{attempt}</span>
        {known === undefined ? <Badge>{plain(state)}</Badge> : <StatusMark state={known} />}
        <Link className="panel-link" to={transcriptPath(issue, mode, attempt)}>
          Transcript
        </Link>
      </h2>
      <p className="attempt-facts faint number-text">
        <span>{agentWords(agent, model)}</span>
        <span title={moment(dispatchedAt)}>began {moment(dispatchedAt)}</span>
        <span>{endedAt === null ? `for ${lasted}` : `lasted ${lasted}`}</span>
        {spent.turns > 0 && <span>{counted(spent.turns, 'turn')}</span>}
        {spent.tokens > 0 && <span>{tokensText(spent.tokens)}</span>}
        <span>{money(spent.usd)}</span>
      </p>
      {ending !== null && <p className="text">{plain(ending)}</p>}
      {report !== null && (
        <p className="report">
          <Badge tone={report.outcome === 'done' ? 'good' : 'bad'}>
            {report.outcome === 'done' ? '✓ reported done' : '✗ reported an error'}
          </Badge>{' '}
          <span className="text">{plain(report.summary)}</span>
        </p>
      )}
      <Verdicts of={verdicts} />
    </section>
  );
}

/** What was found about an attempt's health, with the facts it was found by. */
function Verdicts({ of }: { readonly of: Attempt['verdicts'] }) {
  if (of.length === 0) return null;
  return (
    <ol className="verdicts" aria-label="Verdicts">
      {of.map(({ at, says, evidence }) => (
        <li key={`${at} ${says}`}>
          <TimeOfDay at={at} />
          <div>
            <p>{plain(says)}</p>
            <EvidenceFold of={evidence} />
          </div>
        </li>
      ))}
    </ol>
  );
}
