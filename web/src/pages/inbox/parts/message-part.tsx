/** A message nobody could be given: whoever speaks to its worker now has settled it. */
import { call } from '../../../api/request.ts';
import type { ItemViewProps } from '../item-view.tsx';
import { workerIn } from '../question.ts';
import { ItemWriteBox } from './item-write-box.tsx';

export function MessagePart(props: ItemViewProps) {
  const worker = workerIn(props.item);
  if (worker === undefined) return <p className="faint">Nobody holds this role: it is here to be read.</p>;
  return (
    <ItemWriteBox
      {...props}
      name={`What you say to ${worker.id}`}
      placeholder={`Say to the ${worker.mode} worker what still counts of it`}
      action="Say"
      sends={(text) => ({
        call: call('POST /workers/:id/prompt', { params: { id: worker.id }, body: { text } }),
      })}
    />
  );
}
