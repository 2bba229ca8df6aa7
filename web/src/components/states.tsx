/** What stands in place of content: a skeleton while it loads, a note where there is none, or the error. */
import type { ReactNode } from 'react';
import { ApiError } from '../api/api-error.ts';
import { Button } from './button.tsx';
import { CommandText } from './command-text.tsx';
import { Icon, type IconName } from './icon.tsx';

interface ErrorStateProps {
  readonly error: Error;
  /** What was to be shown: “The board could not be read.” */
  readonly title: string;
  onRetry?(): void;
}

export function ErrorState({ error, title, onRetry }: ErrorStateProps) {
  return (
    <div className="error-state" role="alert">
      <h2>{title}</h2>
      <FaultText error={error} />
      {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

/** Why what was asked for did not happen, where it was asked for. */
export function Refusal({ error, id }: { readonly error: Error; readonly id?: string }) {
  return (
    <div id={id} className="trouble" role="alert">
      <FaultText error={error} />
    </div>
  );
}

/** The message, the next step and the code, in the order in which people need them. */
export function FaultText({ error }: { readonly error: Error }) {
  return (
    <div className="fault">
      <p>
        <CommandText text={error.message} />
      </p>
      {error instanceof ApiError && (
        <p className="fault-next">
          <CommandText text={error.next} /> <code className="faint">{error.code}</code>
        </p>
      )}
    </div>
  );
}

interface SkeletonProps {
  /** Any CSS length. */
  readonly width?: string;
  readonly height?: string;
}

export function Skeleton({ width = '100%', height = '1em' }: SkeletonProps) {
  return <span className="skeleton" style={{ width, height }} aria-hidden="true" />;
}

export function SkeletonLines({ count }: { readonly count: number }) {
  const widths = ['92%', '78%', '85%', '64%'];
  return (
    <div className="skeleton-lines" aria-hidden="true">
      {Array.from({ length: count }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines without content have nothing but their place.
        <Skeleton key={line} width={widths[line % widths.length] ?? '80%'} />
      ))}
    </div>
  );
}

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
