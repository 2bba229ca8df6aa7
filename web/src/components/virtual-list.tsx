/** A list of any length in its own frame: only what is in sight is drawn, rows may differ in height, and it can be jumped in. */
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type ReactNode,
  type Ref,
  type RefObject,
  type UIEvent,
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react';

/** Rows beyond the edges: enough that fast scrolling shows no gaps. Of lines it takes more than of cards to fill a frame. */
const OVERSCAN = { cards: 6, lines: 12 } as const;

export interface VirtualListHandle {
  /** `auto`, which is meant without it, only brings it into sight. */
  show(index: number, where?: 'auto' | 'start' | 'center'): void;
}

interface VirtualListProps<T> {
  readonly items: readonly T[];
  /** The same function each time: with another one every place would be computed anew at each drawing. */
  keyOf(item: T): string;
  /** About how high a row is, in pixels: the real height is measured. */
  estimate(item: T): number;
  /** Cards can be reached by keyboard themselves; among lines it is the frame that takes the focus, so that keys scroll it. */
  readonly of: 'cards' | 'lines';
  readonly gap?: number;
  readonly className: string;
  readonly name: string;
  /** It stays at its end while it grows. Scrolling up lets go of it, scrolling to the end takes hold again. */
  readonly isFollowing?: boolean;
  onFollow?(isFollowing: boolean): void;
  readonly ref?: Ref<VirtualListHandle>;
  children(item: T, index: number): ReactNode;
}

export function VirtualList<T>(props: VirtualListProps<T>) {
  const {
    items,
    keyOf,
    estimate,
    of,
    gap = 0,
    className,
    name,
    isFollowing = false,
    onFollow,
    ref,
    children,
  } = props;
  const frame = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: (index) => estimate(items[index] as T),
    getItemKey: useCallback((index: number) => keyOf(items[index] as T), [items, keyOf]),
    overscan: OVERSCAN[of],
    gap,
  });
  const height = virtual.getTotalSize();
  const onScroll = useEnd(frame, { height, isFollowing, onFollow });
  useImperativeHandle(
    ref,
    () => ({ show: (index, where = 'auto') => virtual.scrollToIndex(index, { align: where }) }),
    [virtual],
  );
  const isFrame = of === 'lines';
  return (
    <section
      ref={frame}
      className={`virtual ${className}`}
      aria-label={isFrame ? name : undefined}
      tabIndex={isFrame ? 0 : undefined}
      onScroll={onScroll}
    >
      <ul className="virtual-rows" aria-label={isFrame ? undefined : name} style={{ height }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => (
          <li
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            aria-setsize={items.length}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start}px)` }}
          >
            {children(items[index] as T, index)}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** This near to the end is at the end: half a line of text. */
const AT_END_PX = 10;

interface EndOptions {
  /** Of what is within the frame. */
  readonly height: number;
  readonly isFollowing: boolean;
  readonly onFollow: ((isFollowing: boolean) => void) | undefined;
}

/** Returns what the frame is to call when it is scrolled. */
function useEnd(frame: RefObject<HTMLElement | null>, { height, isFollowing, onFollow }: EndOptions) {
  const lastTop = useRef(0);
  // After every change of height, for rows are measured only once they are drawn.
  useLayoutEffect(() => {
    const element = frame.current;
    if (isFollowing && element !== null && height > 0) element.scrollTop = element.scrollHeight;
  }, [frame, isFollowing, height]);

  return ({ currentTarget }: UIEvent<HTMLElement>): void => {
    const { scrollTop, scrollHeight, clientHeight } = currentTarget;
    const isUpward = scrollTop < lastTop.current;
    lastTop.current = scrollTop;
    if (scrollHeight - scrollTop - clientHeight < AT_END_PX) onFollow?.(true);
    else if (isUpward) onFollow?.(false);
  };
}
