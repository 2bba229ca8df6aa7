/** A list of any length of which only what is in sight is drawn; its rows may have different heights. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, type Ref, useImperativeHandle, useRef } from 'react';

/** Rows beyond the edges: enough that fast scrolling shows no gaps. */
const OVERSCAN = 6;

export interface VirtualListHandle {
  scrollTo(index: number): void;
}

interface VirtualListProps<T> {
  readonly items: readonly T[];
  keyOf(item: T): string;
  /** About how high a row is, in pixels: the real height is measured. */
  readonly estimate: number;
  readonly gap?: number;
  readonly className?: string;
  readonly name: string;
  readonly ref?: Ref<VirtualListHandle>;
  children(item: T, index: number): ReactNode;
}

export function VirtualList<T>({
  items,
  keyOf,
  estimate,
  gap = 0,
  className = '',
  name,
  ref,
  children,
}: VirtualListProps<T>) {
  const frame = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: () => estimate,
    getItemKey: (index) => keyOf(items[index] as T),
    overscan: OVERSCAN,
    gap,
  });
  useImperativeHandle(ref, () => ({ scrollTo: (index) => virtual.scrollToIndex(index) }), [virtual]);
  return (
    <div ref={frame} className={`virtual ${className}`}>
      <ul className="virtual-rows" aria-label={name} style={{ height: virtual.getTotalSize() }}>
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
    </div>
  );
}
