/** A list of names, such as labels or blockers, with remove buttons and a field to add one. */
import { type KeyboardEvent, useId } from 'react';
import { Icon } from '../../../components/icon.tsx';
import { toPlainText } from '../../../text/plain.ts';

interface ListFieldProps {
  readonly name: string;
  /** Singular noun for an entry, such as “label”. */
  readonly one: string;
  readonly values: readonly string[];
  /** Typed text that is not added yet. */
  readonly typed: string;
  onType(text: string): void;
  onAdd(text: string): void;
  onRemove(value: string): void;
  readonly suggestions: readonly { readonly value: string; readonly label?: string | undefined }[];
  readonly maxLength: number;
}

export function ListField(props: ListFieldProps) {
  const { name, one, values, typed, onType, onAdd, onRemove, suggestions, maxLength } = props;
  const list = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
    // Without this, Enter would save the whole issue.
    event.preventDefault();
    onAdd(typed);
  };
  return (
    <fieldset className="field list-field">
      <legend>{name}</legend>
      {values.length > 0 && (
        <ul className="list-field-values">
          {values.map((value) => (
            <li key={value} className="list-field-value">
              <bdi>{toPlainText(value)}</bdi>
              <button type="button" aria-label={`Remove ${one} ${value}`} onClick={() => onRemove(value)}>
                <Icon name="close" size={12} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        className="input"
        aria-label={`Add a ${one}`}
        placeholder={`Add a ${one}, then press Enter`}
        autoComplete="off"
        list={list}
        maxLength={maxLength}
        value={typed}
        onChange={({ target }) => onType(target.value)}
        onKeyDown={onKeyDown}
      />
      <datalist id={list}>
        {suggestions.map(({ value, label }) => (
          <option key={value} value={value} label={label} />
        ))}
      </datalist>
    </fieldset>
  );
}
