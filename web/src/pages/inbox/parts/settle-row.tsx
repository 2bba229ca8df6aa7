/** The buttons of an item, and below them why what was pressed did not happen. */
import type { ReactNode } from 'react';
import { FaultText } from '../../../components/error-state.tsx';

export function SettleRow({
  error,
  children,
}: {
  readonly error: Error | null;
  readonly children: ReactNode;
}) {
  return (
    <>
      {error !== null && (
        <div className="write-fault" role="alert">
          <FaultText error={error} />
        </div>
      )}
      <div className="inbox-actions">{children}</div>
    </>
  );
}
