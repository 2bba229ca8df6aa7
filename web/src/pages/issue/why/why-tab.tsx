/** Why an issue is, or is not, moving: what is due, why, by which facts, what ends it, and what would change it. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { hasEnded } from '../../../../../src/domain/lifecycle.ts';
import type { Explanation } from '../../../../../src/protocol/operator.ts';
import { Badge, type Tone } from '../../../components/badge.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { Icon, type IconName } from '../../../components/icon.tsx';
import { SkeletonLines } from '../../../components/skeleton.tsx';
import { Time } from '../../../components/time.tsx';
import { plain } from '../../../text/plain.ts';
import { Evidence } from '../fold.tsx';
import { explainQuery } from '../queries.ts';
import { QuestionBox } from './question-box.tsx';
import { WorkerVerdict } from './worker-verdict.tsx';

export function WhyTab({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery(explainQuery(id));
  if (data !== undefined) return <Why of={data} />;
  if (error !== null)
    return <ErrorState title="It could not be explained" error={error} onRetry={() => void refetch()} />;
  return <SkeletonLines count={8} />;
}

function Why({ of }: { readonly of: Explanation }) {
  const { state, since, rounds, workers, openIntents, openQuestions } = of;
  const ends = ENDS[state.until.by] ?? { says: state.until.by, tone: 'neutral', icon: 'clock' };
  const counted = Object.entries(rounds).filter(([, count]) => count > 0);
  const atWork = workers.filter(({ status }) => !hasEnded(status));
  return (
    <div className="why">
      {openQuestions.map((question) => (
        <QuestionBox key={question.question} issue={state.id} question={question} />
      ))}
      <section className="panel" aria-label="The decision">
        <p className="why-says">{plain(state.says)}</p>
        <dl className="facts">
          <Row says="Due">
            {state.suggestedAction === 'skip' ? 'nothing now' : state.suggestedAction.replaceAll('_', ' ')}{' '}
            <code className="faint">{state.reason}</code>
          </Row>
          <Row says={state.until.by === 'nothing_more' ? 'Then' : 'Ends when'}>
            <span className="why-ends">
              <Badge tone={ends.tone}>
                <Icon name={ends.icon} size={12} />
                {ends.says}
              </Badge>{' '}
              {plain(state.until.what)}
            </span>
          </Row>
          {since !== null && (
            <Row says="For">
              <Time at={since} />
            </Row>
          )}
          {counted.length > 0 && (
            <Row says="Rounds">
              <span className="why-rounds">
                {counted.map(([reason, count]) => (
                  <Badge key={reason} tone="warn">
                    {reason.replaceAll('_', ' ')} {count}
                  </Badge>
                ))}
              </span>
            </Row>
          )}
          {state.isBlocked && <Row says="Waits for">{state.blockedByIds.join(' ')}</Row>}
          {openIntents.length > 0 && (
            <Row says="Under way">
              {openIntents.map(({ intent, kind, since: begun }) => (
                <div key={intent}>
                  {kind.replaceAll('_', ' ')}, <Time at={begun} suffix=" ago" />
                </div>
              ))}
            </Row>
          )}
          <Row says="Evidence">
            <Evidence of={state.evidence} />
          </Row>
        </dl>
      </section>
      {atWork.map((worker) => (
        <WorkerVerdict key={worker.id} worker={worker} />
      ))}
    </div>
  );
}

function Row({ says, children }: { readonly says: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{says}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const ENDS: Readonly<Record<string, { says: string; tone: Tone; icon: IconName }>> = {
  person: { says: 'a person', tone: 'warn', icon: 'bell' },
  time: { says: 'time', tone: 'neutral', icon: 'clock' },
  event: { says: 'an event', tone: 'work', icon: 'forward' },
  nothing_more: { says: 'over', tone: 'good', icon: 'check' },
};
