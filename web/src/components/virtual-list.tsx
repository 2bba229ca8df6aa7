/**
 * A scrolling list of any length: renders only visible rows, measures their heights, and can jump
 * to a row.
 */
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

/**
 * Number of rows rendered beyond the edges, so that fast scrolling shows no gaps. A list of lines
 * needs more of them, because lines are smaller than cards.
 */
const OVERSCAN = { cards: 6, lines: 12 } as const;

export interface VirtualListHandle {
  /** Scrolls to a row. `align` defaults to `auto`, which scrolls only as far as needed. */
  show(index: number, align?: 'auto' | 'start' | 'center'): void;
}

interface VirtualListProps<T> {
  readonly items: readonly T[];
  /**
   * Must be the same function on every render, because a new function makes the list recompute
   * every position.
   */
  keyOf(item: T): string;
  /** Approximate row height in pixels. The real height is measured. */
  estimate(item: T): number;
  /**
   * In a list of `cards`, each card can take the focus itself. In a list of `lines`, the frame
   * takes the focus, so that the arrow keys scroll it.
   */
  readonly of: 'cards' | 'lines';
  readonly gap?: number;
  readonly className: string;
  readonly name: string;
  /**
   * Keeps the list scrolled to its end while it grows. Scrolling up stops this, and scrolling to
   * the end resumes it.
   */
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
    () => ({ show: (index, align = 'auto') => virtual.scrollToIndex(index, { align }) }),
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

/**
 * If the end of the list is within this distance (half a line of text), the list is treated as
 * scrolled to its end.
 */
const AT_END_PX = 10;

interface EndOptions {
  /** Height of the content. */
  readonly height: number;
  readonly isFollowing: boolean;
  readonly onFollow: ((isFollowing: boolean) => void) | undefined;
}

/**
 * Keeps the list scrolled to its end while it is following. Returns the scroll handler for the
 * frame.
 */
function useEnd(frame: RefObject<HTMLElement | null>, { height, isFollowing, onFollow }: EndOptions) {
  const lastTop = useRef(0);
  // Runs after every change of height, because rows are measured only once they are rendered.
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
