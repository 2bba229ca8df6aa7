/** A link within the dashboard: a real address, so that a middle click, a copy and a screen reader work as everywhere. */
import type { AnchorHTMLAttributes, MouseEvent, Ref } from 'react';
import { go, hrefOf } from './location.ts';

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** A path below the base. */
  readonly to: string;
  readonly ref?: Ref<HTMLAnchorElement>;
}

export function Link({ to, onClick, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || !isPlain(event)) return;
    event.preventDefault();
    go(to);
  };
  return <a {...rest} href={hrefOf(to)} onClick={follow} />;
}

/** Every other click means a new tab, a new window or a download, which the browser does better. */
function isPlain(event: MouseEvent): boolean {
  return event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
}
