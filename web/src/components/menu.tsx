/** A menu beside what opened it: on top of everything, by keyboard as by pointer, closed by Escape or a click elsewhere. */
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';

export interface MenuItem {
  readonly id: string;
  readonly says: ReactNode;
  /** Shown as the one that holds now. */
  readonly isChosen?: boolean;
  readonly isDisabled?: boolean;
  /** Leads to another menu in this one's place. */
  readonly staysOpen?: boolean;
  run(): void;
}

interface MenuProps {
  readonly name: string;
  /** What opened it: the menu stands beside it, and it gets the focus back. */
  readonly anchor: HTMLElement;
  readonly items: readonly MenuItem[];
  onClose(): void;
}

/** Rendered while it is open. */
export function Menu({ name, anchor, items, onClose }: MenuProps) {
  const element = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const menu = element.current;
    if (menu === null) return;
    if (!menu.matches(':popover-open')) menu.showPopover();
    placeBeside(menu, anchor);
    (menu.querySelector<HTMLElement>('[aria-checked=true]') ?? enabledIn(menu)[0])?.focus();
  }, [anchor]);

  useEffect(() => {
    const menu = element.current;
    const toggled = (event: Event) => {
      if ((event as ToggleEvent).newState === 'closed') onClose();
    };
    menu?.addEventListener('toggle', toggled);
    return () => menu?.removeEventListener('toggle', toggled);
  }, [onClose]);

  const close = () => {
    anchor.focus();
    onClose();
  };
  const choose = (item: MenuItem) => {
    if (item.staysOpen !== true) close();
    item.run();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const target = nextFocus(event, enabledIn(event.currentTarget));
    if (target !== undefined) {
      event.preventDefault();
      target.focus();
    } else if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault();
      close();
    }
    event.stopPropagation();
  };

  return (
    <div
      ref={element}
      className="menu"
      popover="auto"
      role="menu"
      tabIndex={-1}
      aria-label={name}
      onKeyDown={onKeyDown}
    >
      {items.map((item) => (
        <button
          key={item.id}
          type="button"
          className="menu-item"
          {...(item.isChosen === undefined
            ? { role: 'menuitem' }
            : { role: 'menuitemradio', 'aria-checked': item.isChosen })}
          disabled={item.isDisabled}
          tabIndex={-1}
          onClick={() => choose(item)}
        >
          {item.says}
        </button>
      ))}
    </div>
  );
}

function enabledIn(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('.menu-item:not(:disabled)')];
}

/** Arrows go round, Home and End jump, a letter finds what begins with it. */
function nextFocus({ key }: KeyboardEvent, items: readonly HTMLElement[]): HTMLElement | undefined {
  const here = items.indexOf(document.activeElement as HTMLElement);
  if (key === 'ArrowDown' || key === 'j') return items[(here + 1) % items.length];
  if (key === 'ArrowUp' || key === 'k') return items.at(here <= 0 ? -1 : here - 1);
  if (key === 'Home') return items[0];
  if (key === 'End') return items.at(-1);
  if (key.length !== 1 || key === ' ') return undefined;
  const inOrder = [...items.slice(here + 1), ...items.slice(0, here + 1)];
  return inOrder.find((item) => item.textContent.trim().toLowerCase().startsWith(key.toLowerCase()));
}

const GAP_PX = 4;
const MARGIN_PX = 8;

/** Puts a popover below what opened it, or above where there is no room, and always within the window. */
function placeBeside(popover: HTMLElement, anchor: HTMLElement): void {
  const at = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = popover;
  const below = at.bottom + GAP_PX;
  const above = at.top - GAP_PX - height;
  const top = below + height + MARGIN_PX > window.innerHeight && above > MARGIN_PX ? above : below;
  // A button at the right edge opens towards the left.
  const left = at.left + width + MARGIN_PX > window.innerWidth ? at.right - width : at.left;
  popover.style.top = `${Math.max(MARGIN_PX, Math.min(top, window.innerHeight - height - MARGIN_PX))}px`;
  popover.style.left = `${Math.max(MARGIN_PX, Math.min(left, window.innerWidth - width - MARGIN_PX))}px`;
}
