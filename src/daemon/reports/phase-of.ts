/** Which phase a worker is in: its mode, but for the implement worker that looks back on its work. */
import type { IssueId } from '../../core/model/ids.ts';
import { type ColumnNames, readStatus, type SeenStatus } from '../../core/model/status.ts';
import type { Mode, Phase } from '../../domain/mode.ts';
import type { World } from '../world.ts';

/** `column` is the board's own name of where the issue is now. */
export function phaseOf(mode: Mode, column: string, names: ColumnNames): Phase {
  return phaseIn(mode, readStatus(column, names));
}

/** By the board as it was last seen: good enough to show, and for whoever looks again anyway. */
export function phaseOfIssue({ view }: Pick<World, 'view'>, issue: IssueId, mode: Mode): Phase {
  return phaseIn(mode, view.of(issue)?.status);
}

function phaseIn(mode: Mode, status: SeenStatus | undefined): Phase {
  return mode === 'implement' && status === 'Retro' ? 'retro' : mode;
}
