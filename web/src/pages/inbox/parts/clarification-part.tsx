/** What makes an unclear issue clear: a comment, which the legion reads before it decides again. */

import { at } from '../../issue/queries.ts';
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
      sends={(text) => ({ method: 'POST', path: at(issue, '/comments'), body: { text } })}
    />
  );
}
