/** Keeps what scrolls at its end while it grows, until somebody scrolls up. */
import { type RefObject, type UIEvent, useLayoutEffect, useRef } from 'react';

/** This near to the end is at the end: half a line of text. */
const AT_END_PX = 10;

interface EndOptions {
  /** Of what is within the frame. */
  readonly height: number;
  readonly isFollowing: boolean;
  readonly onFollow: ((isFollowing: boolean) => void) | undefined;
}

/** Returns what the frame is to call when it is scrolled. */
export function useEnd(frame: RefObject<HTMLElement | null>, { height, isFollowing, onFollow }: EndOptions) {
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
