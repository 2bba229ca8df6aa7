/** A place to write and send: Ctrl+Enter sends, what was written is never lost by a refusal, and the fault stands below it. */
import { type KeyboardEvent, type ReactNode, type Ref, useId } from 'react';
import type { Draft } from '../drafts/draft.ts';
import '../styles/write.css';
import { TEXT_MOST_CHARS } from '../text/most-chars.ts';
import { Button } from './button.tsx';
import { Refusal } from './states.tsx';

interface WriteBoxProps {
  /** What is to be written, such as “Your answer to DEMO-1”. */
  readonly name: string;
  readonly placeholder: string;
  /** What the button does, as a verb. */
  readonly action: string;
  readonly draft: Draft;
  readonly isSending: boolean;
  readonly error: Error | null;
  onSend(text: string): void;
  /** Escape gives the keyboard back to what is around the box. */
  onLeave?(): void;
  readonly ref?: Ref<HTMLTextAreaElement>;
  /** The shortcut that leads into it, where the page has one. */
  readonly does?: string;
  /** Beside the button. */
  readonly children?: ReactNode;
}

export function WriteBox(props: WriteBoxProps) {
  const { name, placeholder, action, draft, isSending, error, onSend, onLeave, ref, does, children } = props;
  const faultId = useId();
  const isEmpty = draft.text.trim() === '';
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      if (!isEmpty && !isSending) onSend(draft.text.trim());
    }
    if (event.key === 'Escape' && onLeave !== undefined) {
      event.preventDefault();
      onLeave();
    }
  };
  return (
    <div className="write">
      {/* Read only while it is sent, not disabled: a disabled box would lose the caret, and with it the place in the list. */}
      <textarea
        ref={ref}
        className="input write-text"
        data-does={does}
        aria-label={name}
        aria-invalid={error !== null || undefined}
        aria-describedby={error === null ? undefined : faultId}
        placeholder={placeholder}
        rows={2}
        maxLength={TEXT_MOST_CHARS}
        dir="auto"
        readOnly={isSending}
        value={draft.text}
        onChange={(event) => draft.set(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {error !== null && <Refusal id={faultId} error={error} />}
      <div className="write-foot">
        <Button look="main" isBusy={isSending} disabled={isEmpty} onClick={() => onSend(draft.text.trim())}>
          {isSending ? 'Sending …' : action}
        </Button>
        <span className="write-hint faint">
          <kbd>Ctrl</kbd> <kbd>Enter</kbd>
        </span>
        {children}
      </div>
    </div>
  );
}
