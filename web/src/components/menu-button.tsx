/** A button that opens a menu. */
import { type ReactNode, useRef, useState } from 'react';
import { Button } from './button.tsx';
import type { IconName } from './icon.tsx';
import { Menu, type MenuItem } from './menu.tsx';

interface MenuButtonProps {
  readonly name: string;
  readonly items: readonly MenuItem[];
  readonly icon?: IconName;
  readonly variant?: 'plain' | 'quiet';
  readonly className?: string;
  /** Visible content. Without it the button shows only its icon. */
  readonly children?: ReactNode;
}

export function MenuButton({
  name,
  items,
  icon,
  variant = 'quiet',
  className = '',
  children,
}: MenuButtonProps) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        ref={anchor}
        variant={variant}
        className={children === undefined ? `button-icon ${className}` : className}
        {...(icon === undefined ? {} : { icon })}
        aria-label={name}
        title={name}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(true)}
      >
        {children}
      </Button>
      {isOpen && anchor.current !== null && (
        <Menu name={name} anchor={anchor.current} items={items} onClose={() => setIsOpen(false)} />
      )}
    </>
  );
}
