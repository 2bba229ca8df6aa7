/** What the dashboard shows beside what every operator may ask: all of it from what the daemon knows, so that a page that is open all day costs no request outside. */
import { LegionError } from '../../core/model/fault.ts';
import type { Control } from '../control.ts';
import type { DashboardDesk } from '../daemon.ts';
import type { World } from '../world.ts';
import { boardDesk } from './dashboard/board/board-desk.ts';
import { figuresOf } from './dashboard/figures/figures.ts';
import { attempts } from './dashboard/issue/attempts.ts';
import { diff } from './dashboard/issue/diff.ts';
import { story } from './dashboard/issue/story.ts';
import { Chronicle } from './dashboard/past/chronicle.ts';
import { Moments } from './dashboard/past/moments.ts';

export function dashboardDesk(world: World, control: Pick<Control, 'undecided' | 'doings'>): DashboardDesk {
  const { ledger, clock } = world;
  const chronicle = new Chronicle(ledger);
  const { board, mark } = boardDesk(world, control, new Moments(ledger, chronicle));
  return {
    board,
    boardMark: mark,
    async span() {
      await chronicle.caughtUp();
      const { span } = chronicle.span;
      if (span === undefined) throw new LegionError('journal.missing', 'nothing has happened yet');
      return span;
    },
    story: (issue, query) => story(world, chronicle, issue, query),
    attempts: (issue) => attempts(world, chronicle, issue),
    diff: (issue) => diff(world, issue),
    async figures(back) {
      await chronicle.caughtUp();
      return figuresOf(chronicle.figures, clock.now(), back);
    },
  };
}
