/** A question a worker waits for, with a box for the answer. */
import type { Explanation } from '../../../../../src/protocol/operator.ts';
import { call } from '../../../api/request.ts';
import { Time } from '../../../components/time.tsx';
import { WriteBox } from '../../../components/write-box.tsx';
import { Markdown } from '../../../markdown/markdown.tsx';
import { useSending } from '../send.ts';

interface QuestionBoxProps {
  readonly issue: string;
  readonly question: Explanation['openQuestions'][number];
}

export function QuestionBox({ issue, question: { question, mode, text, askedAt } }: QuestionBoxProps) {
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
