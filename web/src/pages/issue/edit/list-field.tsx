/** Names that can be removed one by one and added by typing: labels, blockers. */
import { type KeyboardEvent, useId } from 'react';
import { Icon } from '../../../components/icon.tsx';
import { plain } from '../../../text/plain.ts';

interface ListFieldProps {
  readonly name: string;
  /** What one of them is called: “label”. */
  readonly one: string;
  readonly values: readonly string[];
  /** What is typed and not added yet. */
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
    // Otherwise it would save the whole issue.
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
              <bdi>{plain(value)}</bdi>
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
