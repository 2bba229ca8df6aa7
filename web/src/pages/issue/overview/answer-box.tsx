/** The answer to what Legion itself asked by stopping an issue: no worker's question belongs to it. */
import { call } from '../../../api/request.ts';
import { WriteBox } from '../../../components/write-box.tsx';
import { useSending } from '../send.ts';

export function AnswerBox({ issue }: { readonly issue: string }) {
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
