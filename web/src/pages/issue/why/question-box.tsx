/** A question a worker waits for, with a box for the answer. */
import { type FormEvent, useState } from 'react';
import type { Explanation } from '../../../../../src/protocol/operator.ts';
import { Button } from '../../../components/button.tsx';
import { FaultText } from '../../../components/error-state.tsx';
import { Time } from '../../../components/time.tsx';
import { plain } from '../../../text/plain.ts';
import { useAct } from '../actions/act.ts';
import { TextArea } from '../actions/text-area.tsx';
import { at } from '../queries.ts';

interface QuestionBoxProps {
  readonly issue: string;
  readonly question: Explanation['openQuestions'][number];
}

export function QuestionBox({ issue, question: { question, mode, text, askedAt } }: QuestionBoxProps) {
  const act = useAct(issue);
  const [answer, setAnswer] = useState('');
  const send = () => {
    if (answer.trim() === '' || act.isPending) return;
    act.mutate(
      { method: 'POST', path: at(issue, '/answer'), body: { text: answer, question } },
      { onSuccess: () => setAnswer('') },
    );
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  return (
    <section className="panel question" aria-label={`Question ${question}`} data-answer={question}>
      <p className="question-head">
        <strong>{mode} asks</strong> <Time at={askedAt} suffix=" ago" />
      </p>
      <p className="text">{plain(text)}</p>
      <form className="deed" onSubmit={submit}>
        <TextArea
          label={`Answer to question ${question}`}
          isLabelUnseen
          rows={3}
          placeholder="Your answer"
          value={answer}
          onChange={setAnswer}
          onSend={send}
        />
        {act.error !== null && (
          <div className="trouble" role="alert">
            <FaultText error={act.error} />
          </div>
        )}
        <div className="deed-actions">
          <span className="faint">
            The worker goes on with it. <span className="by-keyboard">Ctrl Enter sends.</span>
          </span>
          <Button type="submit" look="main" isBusy={act.isPending} disabled={answer.trim() === ''}>
            Answer
          </Button>
        </div>
      </form>
    </section>
  );
}
