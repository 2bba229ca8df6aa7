/** What one attempt wrote, as it is written. */
import { type KeyboardEvent, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import { Button, IconButton } from '../../../components/button.tsx';
import { EmptyState, ErrorState, FaultText, SkeletonLines } from '../../../components/states.tsx';
import { VirtualList, type VirtualListHandle } from '../../../components/virtual-list.tsx';
import { useShortcut } from '../../../keys/shortcuts.tsx';
import { found, type Item } from './item.ts';
import { TranscriptRow } from './row.tsx';
import { type Source, useTail } from './tail.ts';

/** Of a line of text and of the room between two rows, in pixels. */
const LINE_PX = 19;
const BETWEEN_PX = 8;

export function TranscriptView({ source, isOver }: { readonly source: Source; readonly isOver: boolean }) {
  const [isFollowing, setIsFollowing] = useState(true);
  const { items, leftOut, isCaughtUp, error } = useTail(source, { isOver, isHeld: !isFollowing });
  const [words, setWords] = useState('');
  const sought = useDeferredValue(words);
  const places = useMemo(() => found(items, sought), [items, sought]);
  /** By its number, because places move when older items are left out. */
  const [current, setCurrent] = useState(-1);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const list = useRef<VirtualListHandle>(null);

  const step = (by: 1 | -1) => {
    // Who types fast steps before the places of the last letter are known.
    const known = sought === words ? places : found(items, words);
    const here = known.findIndex((place) => items[place]?.number === current);
    // The first step is to the last one: a transcript is read from its end.
    const next = here === -1 ? known.at(-1) : known.at((here + by) % known.length);
    if (next === undefined) return;
    setIsFollowing(false);
    const item = items[next];
    setCurrent(item?.number ?? -1);
    // What is found in a folded result is shown.
    if (item?.kind === 'tool') setOpen((before) => new Set(before).add(item.number));
    list.current?.show(next, 'center');
  };
  const toggle = useCallback((number: number) => {
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(number)) after.add(number);
      return after;
    });
  }, []);
  const toggleFollowing = () => setIsFollowing((was) => !was);
  useShortcut({ keys: 'e', says: 'Follow its end, or let go', group: 'Transcript', run: toggleFollowing });

  const wanted = sought.trim().toLowerCase();
  return (
    <>
      <div className="transcript-bar">
        <FindBar
          words={words}
          onWords={setWords}
          count={places.length}
          current={1 + places.findIndex((place) => items[place]?.number === current)}
          onStep={step}
        />
        <span className="transcript-state" role="status">
          {!isCaughtUp ? 'Reading…' : isOver ? 'Ended' : <Live />}
        </span>
        <Button icon="down" aria-pressed={isFollowing} onClick={toggleFollowing}>
          Follow
        </Button>
      </div>
      <div className="transcript-notes">
        {error !== null && items.length > 0 && (
          <div className="trouble" role="status">
            <FaultText error={error} />
          </div>
        )}
        {leftOut > 0 && (
          <p className="transcript-left-out">
            Older output is left out here; <code>legion logs</code> has all of it.
          </p>
        )}
      </div>
      {items.length > 0 ? (
        <VirtualList
          ref={list}
          items={items}
          keyOf={keyOf}
          estimate={estimate}
          of="lines"
          name={`Transcript of ${source.worker}, attempt ${source.attempt}`}
          className="transcript"
          isFollowing={isFollowing}
          onFollow={setIsFollowing}
        >
          {(item) => (
            <TranscriptRow
              item={item}
              wanted={wanted}
              isCurrent={item.number === current}
              isOpen={open.has(item.number)}
              onToggle={toggle}
            />
          )}
        </VirtualList>
      ) : (
        <div className="transcript">
          <Nothing isCaughtUp={isCaughtUp} isOver={isOver} error={error} stream={source.stream} />
        </div>
      )}
    </>
  );
}

function Live() {
  return (
    <span className="live">
      <span className="pulse" aria-hidden="true" />
      Live
    </span>
  );
}

interface NothingProps extends Pick<Source, 'stream'> {
  readonly isCaughtUp: boolean;
  readonly isOver: boolean;
  readonly error: Error | null;
}

function Nothing({ isCaughtUp, isOver, error, stream }: NothingProps) {
  if (error !== null) return <ErrorState title="The transcript could not be read" error={error} />;
  if (!isCaughtUp) return <SkeletonLines count={8} />;
  if (stream === 'err')
    return <EmptyState title="No complaints">Nothing was written to the error stream.</EmptyState>;
  return (
    <EmptyState icon="clock" title={isOver ? 'It wrote nothing' : 'Nothing yet'}>
      {isOver
        ? 'This attempt ended before its agent said anything.'
        : 'What the agent says and does shows here as it happens.'}
    </EmptyState>
  );
}

function keyOf({ number }: Item): string {
  return String(number);
}

/** Near enough that the scrollbar tells the truth; the rest is measured. */
function estimate(item: Item): number {
  return item.kind === 'raw' ? item.lines * LINE_PX + BETWEEN_PX : LINE_PX + BETWEEN_PX;
}

interface FindBarProps {
  readonly words: string;
  onWords(words: string): void;
  /** How many rows have them, and the one that is shown, counted from 1; 0 before the first step. */
  readonly count: number;
  readonly current: number;
  onStep(step: 1 | -1): void;
}

/** Searching in a transcript: how often the words are there, and from one place to the next. */
function FindBar({ words, onWords, count, current, onStep }: FindBarProps) {
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
