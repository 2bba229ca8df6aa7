/** What a page needs to know of the legion it shows, before it shows anything. */
import { STATUSES } from '../../domain/status.ts';
import type { SessionView } from '../../protocol/dashboard.ts';
import type { World } from '../world.ts';

export function sessionOf({ legionId, tracker, board, settings }: World): SessionView {
  const { columns } = settings();
  return {
    legion: legionId,
    backend: tracker.kind,
    ownBoard: board !== undefined,
    // As it is written to the board, so far as the operator has named it; else its own name.
    statuses: STATUSES.map((status) => ({ status, column: columns[status]?.[0] ?? status })),
  };
}
