/** A box to write to an item: its draft outlives refreshes, and an item that was settled elsewhere. */
import { useRef } from 'react';
import { Button } from '../../../components/button.tsx';
import { WriteBox } from '../../../components/write-box.tsx';
import { useDraft } from '../../../drafts/draft.ts';
import { keyOf } from '../groups.ts';
import type { ItemViewProps } from '../item-view.tsx';
import { type Settling, useSettle } from '../settle.ts';

interface ItemWriteBoxProps extends ItemViewProps {
  readonly name: string;
  readonly placeholder: string;
  readonly action: string;
  /** What sends the text. */
  sends(text: string): Settling;
}

export function ItemWriteBox({
  item,
  isOver,
  onDiscard,
  name,
  placeholder,
  action,
  sends,
}: ItemWriteBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  const draft = useDraft(keyOf(item));
  const settle = useSettle();
  const leave = () =>
    box.current?.closest('[data-item]')?.querySelector<HTMLElement>('[data-title]')?.focus();
  if (isOver) {
    const discard = () => {
      draft.set('');
      onDiscard();
    };
    return (
      <div className="inbox-over">
        <p role="status">This was settled elsewhere while you wrote. What you wrote is kept here.</p>
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
        isSending={settle.isPending}
        error={settle.error}
        onSend={(text) => settle.run({ ...sends(text), onDone: () => draft.set('') })}
        onLeave={leave}
      />
    </div>
  );
}
