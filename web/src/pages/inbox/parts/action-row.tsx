/** The buttons of an item, and below them why what was pressed did not happen. */
import type { ReactNode } from 'react';
import { Refusal } from '../../../components/states.tsx';

export function SettleRow({
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
