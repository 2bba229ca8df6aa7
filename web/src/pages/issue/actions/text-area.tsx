/** A place for a few sentences; Ctrl or ⌘ with Enter sends them. */
import type { KeyboardEvent, Ref } from 'react';

interface TextAreaProps {
  readonly label: string;
  /** The label is for those who cannot see what it is for. */
  readonly isLabelUnseen?: boolean;
  readonly value: string;
  onChange(value: string): void;
  onSend(): void;
  readonly placeholder?: string;
  readonly rows?: number;
  readonly ref?: Ref<HTMLTextAreaElement>;
}

/** The daemon takes no more. */
const TEXT_MOST_CHARS = 32_768;

export function TextArea(props: TextAreaProps) {
  const { label, isLabelUnseen = false, value, onChange, onSend, placeholder, rows = 4, ref } = props;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onSend();
  };
  return (
    <label className="field">
      <span className={isLabelUnseen ? 'unseen' : undefined}>{label}</span>
      <textarea
        ref={ref}
        className="input"
        rows={rows}
        maxLength={TEXT_MOST_CHARS}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
      />
    </label>
  );
}
