/** Shows the output of one attempt as it is written. */
import { type KeyboardEvent, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import { Button, IconButton } from '../../../components/button.tsx';
import { EmptyState, ErrorState, FaultText, SkeletonLines } from '../../../components/states.tsx';
import { VirtualList, type VirtualListHandle } from '../../../components/virtual-list.tsx';
import { useShortcut } from '../../../keys/shortcuts.tsx';
import { findMatches, type TranscriptItem } from './item.ts';
import { TranscriptRow } from './row.tsx';
import { type TailSource, useTail } from './tail.ts';

/** Height of a line of text and of the gap between two rows, in pixels. */
const LINE_PX = 19;
const BETWEEN_PX = 8;

export function TranscriptView({
  source,
  isOver,
}: {
  readonly source: TailSource;
  readonly isOver: boolean;
}) {
  const [isFollowing, setIsFollowing] = useState(true);
  const { items, leftOut, isCaughtUp, error } = useTail(source, { isOver, isHeld: !isFollowing });
  const [words, setWords] = useState('');
  const searched = useDeferredValue(words);
  const matches = useMemo(() => findMatches(items, searched), [items, searched]);
  /**
   * Number of the item with the current hit. Not an index, because indexes shift when older items
   * are dropped.
   */
  const [current, setCurrent] = useState(-1);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const list = useRef<VirtualListHandle>(null);

  const step = (by: 1 | -1) => {
    // If the person steps to the next hit before the deferred search has caught up, searches at
    // once.
    const known = searched === words ? matches : findMatches(items, words);
    const position = known.findIndex((index) => items[index]?.number === current);
    // The first step goes to the last hit, because a transcript is read from its end.
    const next = position === -1 ? known.at(-1) : known.at((position + by) % known.length);
    if (next === undefined) return;
    setIsFollowing(false);
    const item = items[next];
    setCurrent(item?.number ?? -1);
    // Unfolds a result that contains the hit.
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
  useShortcut({
    keys: 'e',
    label: 'Follow the end, or stop following',
    group: 'Transcript',
    run: toggleFollowing,
  });

  const wanted = searched.trim().toLowerCase();
  return (
    <>
      <div className="transcript-bar">
        <FindBar
          words={words}
          onWords={setWords}
          count={matches.length}
          current={1 + matches.findIndex((index) => items[index]?.number === current)}
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
            Older output is not shown. Run <code>legion logs</code> to see all of it.
          </p>
        )}
      </div>
      {items.length > 0 ? (
        <VirtualList
          ref={list}
          items={items}
          keyOf={getItemKey}
          estimate={getEstimatedItemHeight}
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

interface NothingProps extends Pick<TailSource, 'stream'> {
  readonly isCaughtUp: boolean;
  readonly isOver: boolean;
  readonly error: Error | null;
}

function Nothing({ isCaughtUp, isOver, error, stream }: NothingProps) {
  if (error !== null) return <ErrorState title="The transcript could not be read" error={error} />;
  if (!isCaughtUp) return <SkeletonLines count={8} />;
  if (stream === 'err')
    return <EmptyState title="No errors">Nothing was written to the error stream.</EmptyState>;
  return (
    <EmptyState icon="clock" title={isOver ? 'No output' : 'Nothing yet'}>
      {isOver
        ? 'This attempt ended before its agent produced output.'
        : 'The agent’s output appears here live.'}
    </EmptyState>
  );
}

function getItemKey({ number }: TranscriptItem): string {
  return String(number);
}

/**
 * Estimates the height closely enough for an accurate scrollbar. The real height is measured later.
 */
function getEstimatedItemHeight(item: TranscriptItem): number {
  return item.kind === 'raw' ? item.lines * LINE_PX + BETWEEN_PX : LINE_PX + BETWEEN_PX;
}

interface FindBarProps {
  readonly words: string;
  onWords(words: string): void;
  /**
   * Number of matching rows, and the position of the current one counted from 1 (0 before the first
   * step).
   */
  readonly count: number;
  readonly current: number;
  onStep(step: 1 | -1): void;
}

/** Search box of a transcript, with the number of hits and buttons to step through them. */
function FindBar({ words, onWords, count, current, onStep }: FindBarProps) {
  const input = useRef<HTMLInputElement>(null);
  useShortcut({
    keys: 'f',
    label: 'Find in the transcript',
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
        name="Previous match"
        className="turned-up"
        disabled={count === 0}
        onClick={() => onStep(-1)}
      />
      <IconButton icon="down" name="Next match" disabled={count === 0} onClick={() => onStep(1)} />
      <span className="find-count number" role="status">
        {words.trim() === '' ? '' : count === 0 ? 'none' : `${current} / ${count}`}
      </span>
    </search>
  );
}
