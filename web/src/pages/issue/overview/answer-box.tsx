/** The answer to what Legion itself asked by stopping an issue: no worker's question belongs to it. */
import { WriteBox } from '../../../components/write-box.tsx';
import { useSending } from '../send.ts';

export function AnswerBox({ issue }: { readonly issue: string }) {
  const sending = useSending(issue, { draft: `answer ${issue}`, path: '/answer' });
  return (
    <section className="panel question" aria-label="Your answer" data-answer="">
      <WriteBox name={`Answer for ${issue}`} placeholder="Say what to do" action="Answer" {...sending}>
        <span className="faint">Legion continues with it.</span>
      </WriteBox>
    </section>
  );
}
