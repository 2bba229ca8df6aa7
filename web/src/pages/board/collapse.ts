/** Which columns are narrow: those a person made so, and those that are empty, until a person says otherwise. */
import { useCallback, useState } from 'react';

const NAME = 'legion.columns';

type Choices = Readonly<Record<string, 'open' | 'narrow'>>;

export interface Collapse {
  isNarrow(key: string, isEmpty: boolean): boolean;
  choose(key: string, choice: 'open' | 'narrow'): void;
}

export function useCollapse(): Collapse {
  const [choices, setChoices] = useState(read);
  const isNarrow = useCallback(
    (key: string, isEmpty: boolean) => (choices[key] ?? (isEmpty ? 'narrow' : 'open')) === 'narrow',
    [choices],
  );
  const choose = useCallback((key: string, choice: 'open' | 'narrow') => {
    setChoices((before) => {
      const after = { ...before, [key]: choice };
      write(after);
      return after;
    });
  }, []);
  return { isNarrow, choose };
}

function read(): Choices {
  try {
    const value: unknown = JSON.parse(window.localStorage.getItem(NAME) ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Choices) : {};
  } catch {
    return {}; // no storage, or somebody else's words in it
  }
}

function write(choices: Choices): void {
  try {
    window.localStorage.setItem(NAME, JSON.stringify(choices));
  } catch {
    // It holds until the page is left.
  }
}
