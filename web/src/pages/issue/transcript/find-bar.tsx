/** Searching in a transcript: how often the words are there, and from one place to the next. */
import { type KeyboardEvent, useRef } from 'react';
import { IconButton } from '../../../components/button.tsx';
import { useShortcut } from '../../../keys/shortcuts.tsx';

interface FindBarProps {
  readonly words: string;
  onWords(words: string): void;
  /** How many rows have them, and the one that is shown, counted from 1; 0 before the first step. */
  readonly count: number;
  readonly current: number;
  onStep(step: 1 | -1): void;
}

export function FindBar({ words, onWords, count, current, onStep }: FindBarProps) {
  const input = useRef<HTMLInputElement>(null);
  useShortcut({
    keys: 'f',
    says: 'Find in the transcript',
    group: 'Transcript',
    run: () => input.current?.select(),
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      onStep(event.shiftKey ? -1 : 1);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (words === '') input.current?.blur();
      else onWords('');
    }
  };
  return (
    <search className="find">
      <input
        ref={input}
        type="search"
        className="input"
        aria-label="Find in the transcript"
        placeholder="Find"
        autoComplete="off"
        spellCheck={false}
        value={words}
        onChange={(event) => onWords(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <IconButton
        icon="back"
        name="Previous place"
        className="turned-up"
        disabled={count === 0}
        onClick={() => onStep(-1)}
      />
      <IconButton icon="down" name="Next place" disabled={count === 0} onClick={() => onStep(1)} />
      <span className="find-count number" role="status">
        {words.trim() === '' ? '' : count === 0 ? 'none' : `${current} / ${count}`}
      </span>
    </search>
  );
}
