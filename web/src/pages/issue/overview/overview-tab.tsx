/** The issue itself, why it is where it is, what ends that, and who works on it. */
import { Link } from 'wouter';
import { hasEnded } from '../../../../../src/domain/lifecycle.ts';
import type { IssueDetail } from '../../../../../src/protocol/endpoints/issues.ts';
import type { Explanation } from '../../../../../src/protocol/operator.ts';
import { call } from '../../../api/request.ts';
import { Details } from '../../../components/details.tsx';
import { Evidence } from '../../../components/evidence.tsx';
import { Fact } from '../../../components/fact.tsx';
import { Time } from '../../../components/time.tsx';
import { WriteBox } from '../../../components/write-box.tsx';
import { Markdown } from '../../../markdown/markdown.tsx';
import { plain } from '../../../text/plain.ts';
import { transcriptPath } from '../../board/issue-path.ts';
import { useSending } from '../send.ts';
import { IssueFacts } from './issue-facts.tsx';
import { IssueText } from './issue-text.tsx';
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

interface LastOutputProps {
  readonly issue: string;
  readonly of: NonNullable<Explanation['lastOutput']>;
}

/** The last words of the worker whose failure stopped the issue. */
function LastOutput({ issue, of: { mode, attempt, text } }: LastOutputProps) {
  return (
    <section className="panel" aria-label="Last output">
      <h2 className="panel-head">
        Last output of the {mode} worker <span className="faint">#{attempt}</span>
        <Link className="panel-link" to={transcriptPath(issue, mode, attempt)}>
          Transcript
        </Link>
      </h2>
      <pre className="last-output">{plain(text)}</pre>
    </section>
  );
}

interface QuestionBoxProps {
  readonly issue: string;
  readonly question: Explanation['openQuestions'][number];
}

/** A question a worker waits for, with a box for the answer. */
function QuestionBox({ issue, question: { question, mode, text, askedAt } }: QuestionBoxProps) {
  // The inbox has the same question under the same name: what was begun there goes on here.
  const draft = `question ${issue} ${question}`;
  const sending = useSending(issue, {
    draft,
    toCall: (text) => call('POST /issues/:id/answer', { params: { id: issue }, body: { text, question } }),
  });
  return (
    <section className="panel question" aria-label={`Question ${question}`} data-answer={question}>
      <p className="question-head">
        <strong>The {mode} worker asks</strong> <Time at={askedAt} suffix=" ago" />
      </p>
      <Markdown text={text} under={1} />
      <WriteBox
        name={`Answer to question ${question}`}
        placeholder="Your answer"
        action="Answer"
        {...sending}
      >
        <span className="faint">The worker goes on with it.</span>
      </WriteBox>
    </section>
  );
}

/** The decision as Legion recorded it: codes, counts and evidence, closed until somebody asks for them. */
function DecisionDetails({ of: { state, since, rounds, openIntents } }: { readonly of: Explanation }) {
  const counted = Object.entries(rounds).filter(([, count]) => count > 0);
  return (
    <Details>
      <dl className="facts">
        <Fact name="Reason">
          <code>{plain(state.reason)}</code>
        </Fact>
        <Fact name="Action">
          <code>{state.suggestedAction}</code>
        </Fact>
        <Fact name="Until">{plain(state.until.what)}</Fact>
        {since !== null && (
          <Fact name="For">
            <Time at={since} />
          </Fact>
        )}
        {counted.length > 0 && (
          <Fact name="Rounds">
            {counted.map(([reason, count]) => `${reason.replaceAll('_', ' ')} ${count}`).join(', ')}
          </Fact>
        )}
        {openIntents.length > 0 && (
          <Fact name="Under way">
            {openIntents.map(({ intent, kind, since: begun }) => (
              <div key={intent}>
                {kind.replaceAll('_', ' ')}, <Time at={begun} suffix=" ago" />
              </div>
            ))}
          </Fact>
        )}
        {state.evidence.length > 0 && (
          <Fact name="Evidence">
            <Evidence of={state.evidence} />
          </Fact>
        )}
      </dl>
    </Details>
  );
}
