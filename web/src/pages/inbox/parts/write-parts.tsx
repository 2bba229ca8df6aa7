/** Controls that settle an inbox item with a text: an answer, a comment or a message. */
import { useRef } from 'react';
import type { InboxItem } from '../../../../../src/protocol/operator.ts';
import { createCall } from '../../../api/request.ts';
import { type ActionRequest, useActionMutation } from '../../../api/use-action-mutation.ts';
import { Button } from '../../../components/button.tsx';
import { WriteBox } from '../../../components/write-box.tsx';
import { useDraft } from '../../../drafts/draft.ts';
import { toItemKey } from '../groups.ts';
import { INBOX_STALE_QUERIES } from '../queries.ts';
import { findAskingWorker } from '../question.ts';

/** An item that a written text settles. */
export interface WrittenItemProps {
  readonly item: InboxItem;
  /** Whether the item was settled elsewhere while the user was writing. */
  readonly isOver: boolean;
  onDiscard(): void;
}

type IssueItemProps = WrittenItemProps & { readonly issue: string };

/** Answers a worker's question. */
export function AnswerPart(props: IssueItemProps) {
  const { issue, item } = props;
  return (
    <ItemWriteBox
      {...props}
      name={`Your answer to ${issue}`}
      placeholder="Your answer"
      action="Answer"
      toRequest={(text) => ({
        call: createCall('POST /issues/:id/answer', {
          params: { id: issue },
          body: { text, question: item.question },
        }),
      })}
    />
  );
}

/** Clarifies an unclear issue with a comment, which Legion reads before it decides again. */
export function ClarificationPart(props: IssueItemProps) {
  const { issue } = props;
  return (
    <ItemWriteBox
      {...props}
      name={`Your comment on ${issue}`}
      placeholder="What should happen, and how to verify it"
      action="Comment"
      toRequest={(text) => ({
        call: createCall('POST /issues/:id/comments', { params: { id: issue }, body: { text } }),
      })}
    />
  );
}

/** Shows an undeliverable message. Sending its worker a new message settles the item. */
export function MessagePart(props: WrittenItemProps) {
  const worker = findAskingWorker(props.item);
  if (worker === undefined) return <p className="faint">No worker has this role. For information only.</p>;
  return (
    <ItemWriteBox
      {...props}
      name={`Message to ${worker.id}`}
      placeholder={`Tell the ${worker.mode} worker what it still needs to know`}
      action="Send"
      toRequest={(text) => ({
        call: createCall('POST /workers/:id/prompt', { params: { id: worker.id }, body: { text } }),
      })}
    />
  );
}

interface ItemWriteBoxProps extends WrittenItemProps {
  readonly name: string;
  readonly placeholder: string;
  readonly action: string;
  /** Builds the request from the text. */
  toRequest(text: string): ActionRequest;
}

/** A text box whose draft survives refetches, even if the item is settled elsewhere. */
function ItemWriteBox({ item, isOver, onDiscard, name, placeholder, action, toRequest }: ItemWriteBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  const draft = useDraft(toItemKey(item));
  const mutation = useActionMutation(INBOX_STALE_QUERIES);
  const leave = () =>
    box.current?.closest('[data-item]')?.querySelector<HTMLElement>('[data-title]')?.focus();
  if (isOver) {
    const discard = () => {
      draft.set('');
      onDiscard();
    };
    return (
      <div className="inbox-over">
        <p role="status">This was settled elsewhere while you were writing. Your text is kept here.</p>
        <textarea
          className="input write-text"
          aria-label={name}
          value={draft.text}
          readOnly
          rows={2}
          dir="auto"
        />
        <Button onClick={discard}>Discard</Button>
      </div>
    );
  }
  return (
    <div ref={box}>
      <WriteBox
        name={name}
        placeholder={placeholder}
        action={action}
        draft={draft}
        does="a"
        isSending={mutation.isPending}
        error={mutation.error}
        onSend={(text) => mutation.mutate({ ...toRequest(text), onDone: () => draft.set('') })}
        onLeave={leave}
      />
    </div>
  );
}
