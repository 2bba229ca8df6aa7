/** Moves an issue to another column; what was moved can be moved back. */
import type { Status } from '../../../../../src/domain/status.ts';
import { call } from '../../../api/request.ts';
import { useSession } from '../../../session/gate.tsx';
import { useAct } from './act.ts';

/** `from` is undefined where nothing can be moved back to. */
export function useMoving(id: string): (from: Status | undefined, to: Status) => void {
  const act = useAct(id);
  const { statuses } = useSession();
  const move = (from: Status | undefined, to: Status): void => {
    const column = statuses.find(({ status }) => status === to)?.column ?? to;
    act.mutate({
      call: call('POST /issues/:id/move', { params: { id }, body: { status: to } }),
      says: `${id} moved to ${column}`,
      refused: `${id} was not moved to ${column}`,
      ...(from === undefined ? {} : { undo: () => move(undefined, from) }),
    });
  };
  return move;
}
