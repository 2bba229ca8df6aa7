/** A button: its look says how much weight it has, its name is always there for those who cannot see it. */
import type { ButtonHTMLAttributes, MouseEvent, Ref } from 'react';
import { Icon, type IconName } from './icon.tsx';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: 'plain' | 'main' | 'quiet' | 'danger';
  readonly icon?: IconName;
  /** It is being done: it cannot be pressed again, and keeps its size and the focus, which a disabled button would lose. */
  readonly isBusy?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button({
  look = 'plain',
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
      className={`button button-${look} ${className}`}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? ignore : onClick}
    >
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** Also keeps a form from being sent twice. */
function ignore(event: MouseEvent): void {
  event.preventDefault();
}

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon'> {
  readonly icon: IconName;
  /** What it does; also shown when the pointer rests on it. */
  readonly name: string;
}

export function IconButton({ icon, name, className = '', ...rest }: IconButtonProps) {
  return (
    <Button look="quiet" {...rest} className={`button-icon ${className}`} aria-label={name} title={name}>
      <Icon name={icon} />
    </Button>
  );
}
