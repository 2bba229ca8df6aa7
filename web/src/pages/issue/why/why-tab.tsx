/** Why an issue is, or is not, moving: what is due, why, by which facts, what ends it, and what would change it. */
import { useQuery } from '@tanstack/react-query';
import { actionInWords } from '../../../../../src/domain/action-in-words.ts';
import { hasEnded } from '../../../../../src/domain/lifecycle.ts';
import type { Explanation } from '../../../../../src/protocol/operator.ts';
import { Badge, type Tone } from '../../../components/badge.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { Evidence } from '../../../components/evidence.tsx';
import { Fact } from '../../../components/fact.tsx';
import { Icon, type IconName } from '../../../components/icon.tsx';
import { SkeletonLines } from '../../../components/skeleton.tsx';
import { Time } from '../../../components/time.tsx';
import { plain } from '../../../text/plain.ts';
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
          <Fact name="Due">
            {state.suggestedAction === 'skip' ? 'nothing now' : actionInWords(state.suggestedAction)}{' '}
            <code className="faint">{state.reason}</code>
          </Fact>
          <Fact name={state.until.by === 'nothing_more' ? 'Then' : 'Ends when'}>
            <span className="why-ends">
              <Badge tone={ends.tone}>
                <Icon name={ends.icon} size={12} />
                {ends.says}
              </Badge>{' '}
              {plain(state.until.what)}
            </span>
          </Fact>
          {since !== null && (
            <Fact name="For">
              <Time at={since} />
            </Fact>
          )}
          {counted.length > 0 && (
            <Fact name="Rounds">
              <span className="why-rounds">
                {counted.map(([reason, count]) => (
                  <Badge key={reason} tone="warn">
                    {reason.replaceAll('_', ' ')} {count}
                  </Badge>
                ))}
              </span>
            </Fact>
          )}
          {state.isBlocked && <Fact name="Waits for">{state.blockedByIds.join(' ')}</Fact>}
          {openIntents.length > 0 && (
            <Fact name="Under way">
              {openIntents.map(({ intent, kind, since: begun }) => (
                <div key={intent}>
                  {kind.replaceAll('_', ' ')}, <Time at={begun} suffix=" ago" />
                </div>
              ))}
            </Fact>
          )}
          <Fact name="Evidence">
            <Evidence of={state.evidence} />
          </Fact>
        </dl>
      </section>
      {atWork.map((worker) => (
        <WorkerVerdict key={worker.id} worker={worker} />
      ))}
    </div>
  );
}

const ENDS: Readonly<Record<string, { says: string; tone: Tone; icon: IconName }>> = {
  person: { says: 'a person', tone: 'warn', icon: 'bell' },
  time: { says: 'time', tone: 'neutral', icon: 'clock' },
  event: { says: 'an event', tone: 'work', icon: 'forward' },
  nothing_more: { says: 'over', tone: 'good', icon: 'check' },
};
