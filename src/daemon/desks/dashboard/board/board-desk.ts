/** The board for the dashboard: of the present, made once for all who ask while nothing changes, or of a moment of the past. */
import type { Board, BoardQuery } from '../../../../protocol/dashboard.ts';
import type { Control } from '../../../control.ts';
import type { World } from '../../../world.ts';
import type { Moments } from '../past/moments.ts';
import { pastBoard } from './past-board.ts';
import { presentBoard, withoutOldFinished } from './present-board.ts';

interface BoardDesk {
  board(query: BoardQuery): Promise<Board>;
  /** Two boards of the same mark are the same; it costs next to nothing to know. */
  mark(query: BoardQuery): string;
}

export function boardDesk(
  world: World,
  control: Pick<Control, 'undecided' | 'doings'>,
  moments: Moments,
): BoardDesk {
  const { ledger, view, settings } = world;
  let made: { readonly mark: string; readonly all: Board; readonly recent: Board } | undefined;

  /** A start is an event, so that the numbers of one daemon never meet those of another. */
  function presentMark(): string {
    const doneAt = Math.max(0, ...[...control.doings().values()].map(({ at }) => at));
    const undecided = control.undecided().map(({ worker }) => worker);
    const moving = settings().autoAdvance ? 'auto' : 'held';
    return [ledger.version, view.revision, moving, doneAt, ...undecided].join('.');
  }

  function mark({ version, at, finished }: BoardQuery): string {
    if (version !== undefined) return `v${Math.min(Math.max(version, 1), ledger.version)}.${ledger.epoch}`;
    // What comes to the end of the journal may still belong to the moment.
    return at === undefined ? `${presentMark()}.${finished ?? 'recent'}` : `t${at}.${ledger.version}`;
  }

  return {
    mark,
    async board(query) {
      const { version, at: time } = query;
      if (version !== undefined) return pastBoard(await moments.at({ version }));
      if (time !== undefined) return pastBoard(await moments.at({ time }));
      const now = presentMark();
      if (made?.mark !== now) {
        const all = presentBoard(world, control);
        made = { mark: now, all, recent: withoutOldFinished(all) };
      }
      return query.finished === 'all' ? made.all : made.recent;
    },
  };
}
