/** Where there is nothing: says so, and what would be here or what to do. */
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

interface EmptyStateProps {
  readonly icon?: IconName;
  readonly title: string;
  readonly children?: ReactNode;
}

export function EmptyState({ icon = 'check', title, children }: EmptyStateProps) {
  return (
    <div className="empty">
      <span className="empty-icon">
        <Icon name={icon} size={24} />
      </span>
      <h2>{title}</h2>
      {children !== undefined && <div className="empty-text">{children}</div>}
    </div>
  );
}
