/**
 * Replacements for content: a skeleton while the content loads, a note if there is none, and the
 * error if loading failed.
 */
import type { ReactNode } from 'react';
import { ApiError } from '../api/api-error.ts';
import { Button } from './button.tsx';
import { CommandText } from './command-text.tsx';
import { Icon, type IconName } from './icon.tsx';

interface ErrorStateProps {
  readonly error: Error;
  /** Title of the error, such as “The board could not be read.” */
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

/** Shows why an action failed, next to the control that triggered it. */
export function Refusal({ error, id }: { readonly error: Error; readonly id?: string }) {
  return (
    <div id={id} className="trouble" role="alert">
      <FaultText error={error} />
    </div>
  );
}

/** Shows the message, the next step and the code, most useful first. */
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
  /** Any valid CSS length. */
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
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholder lines have no other key.
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
