/** A board without issues: what to do first. */
import { EmptyState } from '../../components/empty-state.tsx';
import { useSession } from '../../session/gate.tsx';
import type { Column } from './columns.ts';
import { QuickAdd } from './quick-add.tsx';

interface EmptyBoardProps {
  readonly isPast: boolean;
  /** Where new issues begin. */
  readonly first: Column | undefined;
}

export function EmptyBoard({ isPast, first }: EmptyBoardProps) {
  const { ownBoard, backend } = useSession();
  if (isPast) {
    return (
      <div className="board-room">
        <EmptyState icon="clock" title="The board was empty then">
          Legion had not seen an issue at this moment.
        </EmptyState>
      </div>
    );
  }
  return (
    <div className="board-room">
      <EmptyState icon="board" title="No issues yet">
        {ownBoard ? (
          <>
            <p>Write what is to be done; Legion takes it from there.</p>
            {first?.status !== undefined && <QuickAdd status={first.status} column={first.name} />}
          </>
        ) : (
          <p>Add one on {backend}; it shows here as soon as Legion has read the board.</p>
        )}
      </EmptyState>
    </div>
  );
}
