/**
 * The issue itself, why it is in its current state, what would change that state, and its worker.
 */
import { Link } from 'wouter';
import { hasEnded } from '../../../../../src/core/model/lifecycle.ts';
import type { IssueDetail } from '../../../../../src/protocol/endpoints/issues.ts';
import type { IssueExplanation } from '../../../../../src/protocol/operator.ts';
import { createCall } from '../../../api/request.ts';
import { Details } from '../../../components/details.tsx';
import { Evidence } from '../../../components/evidence.tsx';
import { Fact } from '../../../components/fact.tsx';
import { Time } from '../../../components/time.tsx';
import { WriteBox } from '../../../components/write-box.tsx';
import { Markdown } from '../../../markdown/markdown.tsx';
import { toPlainText } from '../../../text/plain.ts';
import { toTranscriptPath } from '../../board/issue-path.ts';
import { useDraftSending } from '../send.ts';
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
  const active = explanation?.workers.filter((worker) => !hasEnded(worker.status)) ?? [];
  const isAnswered = end?.action === 'answer';
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
        {active.map((worker) => (
          <WorkerVerdict key={worker.id} worker={worker} />
        ))}
      </div>
      <IssueFacts id={id} detail={detail} explanation={explanation} isUnknown={status.error !== null} />
    </div>
  );
}

/**
 * A box to answer the question that Legion itself (not a worker) asks after it has stopped an
 * issue.
 */
function AnswerBox({ issue }: { readonly issue: string }) {
  const sending = useDraftSending(issue, {
    draft: `answer ${issue}`,
    toCall: (text) => createCall('POST /issues/:id/answer', { params: { id: issue }, body: { text } }),
  });
  return (
    <section className="panel question" aria-label="Your answer" data-answer="">
      <WriteBox
        name={`Answer for ${issue}`}
        placeholder="Tell Legion what to do"
        action="Answer"
        {...sending}
      >
        <span className="faint">Legion continues with your answer.</span>
      </WriteBox>
    </section>
  );
}

interface LastOutputProps {
  readonly issue: string;
  readonly of: NonNullable<IssueExplanation['lastOutput']>;
}

/** Last output of the worker whose failure stopped the issue. */
function LastOutput({ issue, of: { mode, attempt, text } }: LastOutputProps) {
  return (
    <section className="panel" aria-label="Last output">
      <h2 className="panel-head">
        Last output of the {mode} worker <span className="faint">#{attempt}</span>
        <Link className="panel-link" to={toTranscriptPath(issue, mode, attempt)}>
          Transcript
        </Link>
      </h2>
      <pre className="last-output">{toPlainText(text)}</pre>
    </section>
  );
}

interface QuestionBoxProps {
  readonly issue: string;
  readonly question: IssueExplanation['openQuestions'][number];
}

/** A worker's open question, with a box for the answer. */
function QuestionBox({ issue, question: { question, mode, text, askedAt } }: QuestionBoxProps) {
  // The inbox uses the same draft name, so an answer begun there continues here.
  const draft = `question ${issue} ${question}`;
  const sending = useDraftSending(issue, {
    draft,
    toCall: (text) =>
      createCall('POST /issues/:id/answer', { params: { id: issue }, body: { text, question } }),
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
        <span className="faint">The worker continues with your answer.</span>
      </WriteBox>
    </section>
  );
}

/** The recorded decision: codes, counts and evidence. Closed by default. */
function DecisionDetails({ of: { state, since, rounds, openIntents } }: { readonly of: IssueExplanation }) {
  const counted = Object.entries(rounds).filter(([, count]) => count > 0);
  return (
    <Details>
      <dl className="facts">
        <Fact name="Reason">
          <code>{toPlainText(state.reason)}</code>
        </Fact>
        <Fact name="Action">
          <code>{state.suggestedAction}</code>
        </Fact>
        <Fact name="Until">{toPlainText(state.until.what)}</Fact>
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
            {openIntents.map(({ intent, kind, since: startedAt }) => (
              <div key={intent}>
                {kind.replaceAll('_', ' ')}, <Time at={startedAt} suffix=" ago" />
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
