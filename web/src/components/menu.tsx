/**
 * A menu next to the element that opened it. It is above all other content, works with keyboard and
 * pointer, and closes on Escape or an outside click.
 */
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';

export interface MenuItem {
  readonly id: string;
  readonly label: ReactNode;
  /** True for the current choice. */
  readonly isChosen?: boolean;
  readonly isDisabled?: boolean;
  /** True if the item opens another menu in place of this one. */
  readonly staysOpen?: boolean;
  run(): void;
}

interface MenuProps {
  readonly name: string;
  /**
   * Element that opened the menu. The menu is placed next to it and returns the focus to it when it
   * closes.
   */
  readonly anchor: HTMLElement;
  readonly items: readonly MenuItem[];
  onClose(): void;
}

/** A menu. The component is rendered only while the menu is open. */
export function Menu({ name, anchor, items, onClose }: MenuProps) {
  const element = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const menu = element.current;
    if (menu === null) return;
    if (!menu.matches(':popover-open')) menu.showPopover();
    placeBeside(menu, anchor);
    (menu.querySelector<HTMLElement>('[aria-checked=true]') ?? listEnabledItems(menu)[0])?.focus();
  }, [anchor]);

  useEffect(() => {
    const menu = element.current;
    const onToggle = (event: Event) => {
      if ((event as ToggleEvent).newState === 'closed') onClose();
    };
    menu?.addEventListener('toggle', onToggle);
    return () => menu?.removeEventListener('toggle', onToggle);
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
    const target = findNextFocus(event, listEnabledItems(event.currentTarget));
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
          {item.label}
        </button>
      ))}
    </div>
  );
}

function listEnabledItems(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('.menu-item:not(:disabled)')];
}

/**
 * Returns the item that a key moves the focus to: arrow keys wrap around, Home and End jump, and a
 * letter finds the next item that begins with it.
 */
function findNextFocus({ key }: KeyboardEvent, items: readonly HTMLElement[]): HTMLElement | undefined {
  const index = items.indexOf(document.activeElement as HTMLElement);
  if (key === 'ArrowDown' || key === 'j') return items[(index + 1) % items.length];
  if (key === 'ArrowUp' || key === 'k') return items.at(index <= 0 ? -1 : index - 1);
  if (key === 'Home') return items[0];
  if (key === 'End') return items.at(-1);
  if (key.length !== 1 || key === ' ') return undefined;
  const inOrder = [...items.slice(index + 1), ...items.slice(0, index + 1)];
  return inOrder.find((item) => item.textContent.trim().toLowerCase().startsWith(key.toLowerCase()));
}

const GAP_PX = 4;
const MARGIN_PX = 8;

/**
 * Places a popover below its anchor, or above if there is not enough space, and always within the
 * window.
 */
function placeBeside(popover: HTMLElement, anchor: HTMLElement): void {
  const at = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = popover;
  const below = at.bottom + GAP_PX;
  const above = at.top - GAP_PX - height;
  const top = below + height + MARGIN_PX > window.innerHeight && above > MARGIN_PX ? above : below;
  // A menu at the right edge opens towards the left.
  const left = at.left + width + MARGIN_PX > window.innerWidth ? at.right - width : at.left;
  popover.style.top = `${Math.max(MARGIN_PX, Math.min(top, window.innerHeight - height - MARGIN_PX))}px`;
  popover.style.left = `${Math.max(MARGIN_PX, Math.min(left, window.innerWidth - width - MARGIN_PX))}px`;
}
