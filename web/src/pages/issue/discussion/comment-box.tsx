/** Says something on the issue. */
import { call } from '../../../api/request.ts';
import { WriteBox } from '../../../components/write-box.tsx';
import { useSending } from '../send.ts';

export function CommentBox({ issue }: { readonly issue: string }) {
  return (
    <WriteBox
      name="Comment"
      placeholder="Say something on the issue"
      action="Comment"
      {...useSending(issue, {
        draft: `comment ${issue}`,
        toCall: (text) => call('POST /issues/:id/comments', { params: { id: issue }, body: { text } }),
      })}
    >
      <span className="faint">Workers read it.</span>
    </WriteBox>
  );
}
