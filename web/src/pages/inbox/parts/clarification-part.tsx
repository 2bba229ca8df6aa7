/** What makes an unclear issue clear: a comment, which the legion reads before it decides again. */

import { call } from '../../../api/request.ts';
import type { ItemViewProps } from '../item-view.tsx';
import { ItemWriteBox } from './item-write-box.tsx';

export function ClarificationPart(props: ItemViewProps & { readonly issue: string }) {
  const { issue } = props;
  return (
    <ItemWriteBox
      {...props}
      name={`Your comment on ${issue}`}
      placeholder="What is missing: what should happen, and how one sees that it does"
      action="Comment"
      sends={(text) => ({
        call: call('POST /issues/:id/comments', { params: { id: issue }, body: { text } }),
      })}
    />
  );
}
