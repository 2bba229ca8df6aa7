/** Says something on the issue. */
import { WriteBox } from '../../../components/write-box.tsx';
import { useSending } from '../send.ts';

export function CommentBox({ issue }: { readonly issue: string }) {
  return (
    <WriteBox
      name="Comment"
      placeholder="Say something on the issue"
      action="Comment"
      {...useSending(issue, { draft: `comment ${issue}`, path: '/comments' })}
    >
      <span className="faint">Workers read it.</span>
    </WriteBox>
  );
}
