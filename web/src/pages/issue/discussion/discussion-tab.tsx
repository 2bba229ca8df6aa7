/** Comments on the issue. */
import type { CommentView } from '../../../../../src/protocol/board.ts';
import type { IssueDetail } from '../../../../../src/protocol/endpoints/issues.ts';
import { createCall } from '../../../api/request.ts';
import { Badge } from '../../../components/badge.tsx';
import { SkeletonLines } from '../../../components/states.tsx';
import { Time } from '../../../components/time.tsx';
import { WriteBox } from '../../../components/write-box.tsx';
import { Markdown } from '../../../markdown/markdown.tsx';
import { useSession } from '../../../session/session.ts';
import { toPlainText } from '../../../text/plain.ts';
import { useDraftSending } from '../send.ts';

export function DiscussionTab({ detail }: { readonly detail: IssueDetail | undefined }) {
  const { ownBoard, backend } = useSession();
  if (detail === undefined) return <SkeletonLines count={8} />;
  const { issue, comments } = detail;
  return (
    <div className="discussion">
      <h2>{comments.length === 0 ? 'No comments yet' : `Comments (${comments.length})`}</h2>
      {comments.map((comment) => (
        <Comment key={comment.id} comment={comment} />
      ))}
      {ownBoard ? (
        <CommentBox issue={issue.id} />
      ) : (
        <p className="faint">To comment on this issue, use {backend}.</p>
      )}
    </div>
  );
}

function Comment({ comment: { author, by, at, text } }: { readonly comment: CommentView }) {
  return (
    <article className="panel comment">
      <p className="comment-head">
        <strong>
          <bdi>{toPlainText(author)}</bdi>
        </strong>
        {by === 'legion' && author !== 'legion' && <Badge tone="work">Legion</Badge>}
        {by === 'outsider' && <Badge title="Workers do not act on this comment">outsider</Badge>}
        <Time at={at} suffix=" ago" />
      </p>
      <Markdown text={text} under={2} />
    </article>
  );
}

/** Posts a comment on the issue. */
function CommentBox({ issue }: { readonly issue: string }) {
  return (
    <WriteBox
      name="Comment"
      placeholder="Write a comment"
      action="Comment"
      {...useDraftSending(issue, {
        draft: `comment ${issue}`,
        toCall: (text) => createCall('POST /issues/:id/comments', { params: { id: issue }, body: { text } }),
      })}
    >
      <span className="faint">Workers read comments.</span>
    </WriteBox>
  );
}
