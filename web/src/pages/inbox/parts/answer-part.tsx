/** The answer to a question, written where it is asked. */

import { call } from '../../../api/request.ts';
import type { ItemViewProps } from '../item-view.tsx';
import { ItemWriteBox } from './item-write-box.tsx';

export function AnswerPart(props: ItemViewProps & { readonly issue: string }) {
  const { issue, item } = props;
  return (
    <ItemWriteBox
      {...props}
      name={`Your answer to ${issue}`}
      placeholder="Your answer"
      action="Answer"
      sends={(text) => ({
        call: call('POST /issues/:id/answer', {
          params: { id: issue },
          body: { text, question: item.question },
        }),
      })}
    />
  );
}
