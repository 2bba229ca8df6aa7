/** A button. Its style shows how important it is, and it always has an accessible name. */
import type { ButtonHTMLAttributes, MouseEvent, Ref } from 'react';
import { Icon, type IconName } from './icon.tsx';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly variant?: 'plain' | 'main' | 'quiet' | 'danger';
  readonly icon?: IconName;
  /**
   * True while the action is in progress. The button ignores clicks but keeps its size and the
   * focus, which a disabled button would lose.
   */
  readonly isBusy?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button({
  variant = 'plain',
  icon,
  isBusy = false,
  className = '',
  onClick,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`button button-${variant} ${className}`}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? cancelClick : onClick}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** Cancels clicks on a busy button, which also prevents submitting a form twice. */
function cancelClick(event: MouseEvent): void {
  event.preventDefault();
}

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon'> {
  readonly icon: IconName;
  /** Label of the action; also the tooltip. */
  readonly name: string;
}

export function IconButton({ icon, name, className = '', ...rest }: IconButtonProps) {
  return (
    <Button variant="quiet" {...rest} className={`button-icon ${className}`} aria-label={name} title={name}>
      <Icon name={icon} />
    </Button>
  );
}
