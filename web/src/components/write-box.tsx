/**
 * A text box with a send button. Ctrl+Enter sends the text. If the daemon refuses it, the text
 * stays in the box and the error appears below.
 */
import { type KeyboardEvent, type ReactNode, type Ref, useId } from 'react';
import type { TextDraft } from '../drafts/draft.ts';
import '../styles/write.css';
import { MAX_TEXT_CHARACTERS } from '../text/max-characters.ts';
import { Button } from './button.tsx';
import { Refusal } from './states.tsx';

interface WriteBoxProps {
  /** Accessible name of the box, such as “Your answer to DEMO-1”. */
  readonly name: string;
  readonly placeholder: string;
  /** Button label, a verb. */
  readonly action: string;
  readonly draft: TextDraft;
  readonly isSending: boolean;
  readonly error: Error | null;
  onSend(text: string): void;
  /** Called on Escape, to return the focus to the surrounding list. */
  onLeave?(): void;
  readonly ref?: Ref<HTMLTextAreaElement>;
  /** Key that focuses the box, if the page has a shortcut for it. */
  readonly does?: string;
  /** Content beside the button. */
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
      {/* While sending, the box is read-only instead of disabled, because a disabled box would lose the caret and the focus in the list. */}
      <textarea
        ref={ref}
        className="input write-text"
        data-does={does}
        aria-label={name}
        aria-invalid={error !== null || undefined}
        aria-describedby={error === null ? undefined : faultId}
        placeholder={placeholder}
        rows={2}
        maxLength={MAX_TEXT_CHARACTERS}
        dir="auto"
        readOnly={isSending}
        value={draft.text}
        onChange={(event) => draft.set(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {error !== null && <Refusal id={faultId} error={error} />}
      <div className="write-foot">
        <Button
          variant="main"
          isBusy={isSending}
          disabled={isEmpty}
          onClick={() => onSend(draft.text.trim())}
        >
          {isSending ? 'Sending…' : action}
        </Button>
        <span className="write-hint faint">
          <kbd>Ctrl</kbd> <kbd>Enter</kbd>
        </span>
        {children}
      </div>
    </div>
  );
}
