/**
 * Serves the dashboard from data that the daemon already has, so that a page left open costs no
 * external requests.
 */
import { LegionError } from '../../../core/model/fault.ts';
import type { DaemonContext } from '../../context/daemon-context.ts';
import type { DashboardService } from '../../daemon.ts';
import type { LoopControl } from '../../loop/control.ts';
import { listAttempts, readIssueDiff } from './attempts.ts';
import { createBoardService } from './board.ts';
import { computeFigures } from './figures.ts';
import { JournalHistory } from './history.ts';
import { PastStates } from './moments.ts';
import { readStory } from './story.ts';

export function createDashboardService(
  context: DaemonContext,
  control: Pick<LoopControl, 'listUndecided' | 'listActivities'>,
): DashboardService {
  const { ledger, clock } = context;
  const history = new JournalHistory(ledger);
  const past = new PastStates(ledger, history);
  const { board, mark } = createBoardService(context, control, (moment) => past.at(moment));
  return {
    board,
    boardMark: mark,
    async span() {
      await history.catchUp();
      const { span } = history.span;
      if (span === undefined) throw new LegionError('journal.missing', 'The journal has no events yet.');
      return span;
    },
    story: (issue, query) => readStory(context, history, issue, query),
    attempts: (issue) => listAttempts(context, history, issue),
    diff: (issue) => readIssueDiff(context, issue),
    async figures(back) {
      await history.catchUp();
      return computeFigures(history.figures, clock.now(), back);
    },
  };
}
