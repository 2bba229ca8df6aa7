/** How wide there is room for a chart: it is drawn in real pixels, so that its letters have the size of all others. */
import { type RefCallback, useState } from 'react';

/** 0 until it has been laid out, which is before anything is painted. */
export function useWidth(): readonly [RefCallback<HTMLElement>, number] {
  const [width, setWidth] = useState(0);
  const [measure] = useState(() => (element: HTMLElement | null) => {
    if (element === null) return;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  });
  return [measure, width];
}
