/** A list of any length in its own frame: only what is in sight is drawn, it can be jumped in, and it can stay at its end. */
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type ReactNode,
  type Ref,
  type UIEvent,
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react';

/** Rows beyond the edges: enough that fast scrolling shows no gaps. */
const OVERSCAN = 12;
/** This near to the end is at the end: half a line of text. */
const AT_END_PX = 10;

export interface LongListHandle {
  show(index: number, where: 'start' | 'center'): void;
}

interface LongListProps<T> {
  readonly items: readonly T[];
  keyOf(item: T): string;
  /** About how high a row is, in pixels: the real height is measured. */
  estimate(item: T): number;
  readonly name: string;
  readonly className?: string;
  /** It stays at its end while it grows. Scrolling up lets go of it, scrolling to the end takes hold again. */
  readonly isFollowing?: boolean;
  onFollow?(isFollowing: boolean): void;
  readonly ref?: Ref<LongListHandle>;
  children(item: T, index: number): ReactNode;
}

export function LongList<T>(props: LongListProps<T>) {
  const {
    items,
    keyOf,
    estimate,
    name,
    className = '',
    isFollowing = false,
    onFollow,
    ref,
    children,
  } = props;
  const frame = useRef<HTMLElement>(null);
  const lastTop = useRef(0);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: (index) => estimate(items[index] as T),
    // The same function for the same items: with another one every place would be computed anew at each drawing.
    getItemKey: useCallback((index: number) => keyOf(items[index] as T), [items, keyOf]),
    overscan: OVERSCAN,
  });
  const height = virtual.getTotalSize();
  useImperativeHandle(
    ref,
    () => ({ show: (index, where) => virtual.scrollToIndex(index, { align: where }) }),
    [virtual],
  );

  // After every change of height, for rows are measured only once they are drawn.
  useLayoutEffect(() => {
    const element = frame.current;
    if (isFollowing && element !== null && height > 0) element.scrollTop = element.scrollHeight;
  }, [isFollowing, height]);

  const onScroll = ({ currentTarget }: UIEvent<HTMLElement>) => {
    const { scrollTop, scrollHeight, clientHeight } = currentTarget;
    const isUpward = scrollTop < lastTop.current;
    lastTop.current = scrollTop;
    if (scrollHeight - scrollTop - clientHeight < AT_END_PX) onFollow?.(true);
    else if (isUpward) onFollow?.(false);
  };

  return (
    <section
      ref={frame}
      className={`virtual ${className}`}
      aria-label={name}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      onScroll={onScroll}
    >
      <ul className="virtual-rows" style={{ height }}>
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
