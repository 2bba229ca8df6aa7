/** The buttons of an item, with the error of a failed action below them. */
import type { ReactNode } from 'react';
import { Refusal } from '../../../components/states.tsx';

export function InboxActionRow({
  error,
  children,
}: {
  readonly error: Error | null;
  readonly children: ReactNode;
}) {
  return (
    <>
      {error !== null && <Refusal error={error} />}
      <div className="inbox-actions">{children}</div>
    </>
  );
}
