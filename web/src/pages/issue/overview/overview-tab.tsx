/** The issue itself, why it is where it is, what ends that, and who works on it. */
import { hasEnded } from '../../../../../src/domain/lifecycle.ts';
import { call } from '../../../api/request.ts';
import { WriteBox } from '../../../components/write-box.tsx';
import type { IssueDetail } from '../issue-detail.ts';
import { useSending } from '../send.ts';
import { DecisionDetails } from './decision-details.tsx';
import { IssueFacts } from './issue-facts.tsx';
import { IssueText } from './issue-text.tsx';
import { LastOutput } from './last-output.tsx';
import { QuestionBox } from './question-box.tsx';
import { StatusCard, type StatusCardProps } from './status-card.tsx';
import { WorkerVerdict } from './worker-verdict.tsx';

interface OverviewTabProps {
  readonly id: string;
  readonly detail: IssueDetail | undefined;
  readonly status: StatusCardProps;
}

export function OverviewTab({ id, detail, status }: OverviewTabProps) {
  const { explanation, end } = status;
  const questions = explanation?.openQuestions ?? [];
  const atWork = explanation?.workers.filter((worker) => !hasEnded(worker.status)) ?? [];
  const isAnswered = end?.deed === 'answer';
  return (
    <div className="overview">
      <div className="overview-main">
        <IssueText detail={detail} />
        <StatusCard {...status} hasBox={isAnswered} />
        {questions.map((question) => (
          <QuestionBox key={question.question} issue={id} question={question} />
        ))}
        {explanation?.lastOutput !== undefined && <LastOutput issue={id} of={explanation.lastOutput} />}
        {isAnswered && questions.length === 0 && <AnswerBox issue={id} />}
        {explanation !== undefined && <DecisionDetails of={explanation} />}
        {atWork.map((worker) => (
          <WorkerVerdict key={worker.id} worker={worker} />
        ))}
      </div>
      <IssueFacts id={id} detail={detail} explanation={explanation} isUnknown={status.error !== null} />
    </div>
  );
}

/** The answer to what Legion itself asked by stopping an issue: no worker's question belongs to it. */
function AnswerBox({ issue }: { readonly issue: string }) {
  const sending = useSending(issue, {
    draft: `answer ${issue}`,
    toCall: (text) => call('POST /issues/:id/answer', { params: { id: issue }, body: { text } }),
  });
  return (
    <section className="panel question" aria-label="Your answer" data-answer="">
      <WriteBox name={`Answer for ${issue}`} placeholder="Say what to do" action="Answer" {...sending}>
        <span className="faint">Legion continues with it.</span>
      </WriteBox>
    </section>
  );
}
