/** Where something went wrong: what, and what to do next. */
import { ApiError } from '../api/api-error.ts';
import { Button } from './button.tsx';
import { CommandText } from './command-text.tsx';

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
