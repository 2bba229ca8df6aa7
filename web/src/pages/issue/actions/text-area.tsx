/** A text area for a few sentences. Ctrl+Enter or ⌘+Enter submits. */
import type { KeyboardEvent, Ref } from 'react';
import { MAX_TEXT_CHARACTERS } from '../../../text/max-characters.ts';

interface TextAreaProps {
  readonly label: string;
  readonly value: string;
  onChange(value: string): void;
  onSend(): void;
  readonly placeholder?: string;
  readonly rows?: number;
  readonly ref?: Ref<HTMLTextAreaElement>;
}

export function TextArea(props: TextAreaProps) {
  const { label, value, onChange, onSend, placeholder, rows = 4, ref } = props;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onSend();
  };
  return (
    <label className="field">
      <span>{label}</span>
      <textarea
        ref={ref}
        className="input"
        rows={rows}
        maxLength={MAX_TEXT_CHARACTERS}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
      />
    </label>
  );
}
