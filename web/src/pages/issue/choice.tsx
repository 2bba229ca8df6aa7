/** A select box with its label beside or above it. */
import { type Ref, useId } from 'react';

interface ChoiceProps {
  readonly name: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  onChoose(value: string): void;
  readonly ref?: Ref<HTMLSelectElement>;
}

export function Choice({ name, value, options, onChoose, ref }: ChoiceProps) {
  const id = useId();
  return (
    <div className="field choice">
      <label htmlFor={id}>{name}</label>
      <select
        ref={ref}
        id={id}
        className="input"
        value={value}
        onChange={({ target }) => onChoose(target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
