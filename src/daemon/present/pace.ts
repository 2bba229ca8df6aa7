/** Describes for people how often the board is read, and why. */
import { formatDuration } from '../../core/model/format.ts';
import type { PollPace } from '../context/board-view.ts';

export function describePace(pace: PollPace): string {
  return `The board is read every ${formatDuration(pace.intervalMs)}${REASONS[pace.reason](pace)}.`;
}

/** Maximum number of issues to name. The status page lists all of them. */
const MAX_NAMED = 3;

const REASONS: Readonly<Record<PollPace['reason'], (pace: PollPace) => string>> = {
  normal: () => '',
  unchanged: ({ unchanged }) => `, because nothing changed in the last ${unchanged} reads`,
  waiting_for_ci: ({ waitingForCi }) => `, because CI runs for ${formatIssues(waitingForCi)}`,
  api_budget: () => ', because few API requests are left',
};

function formatIssues(issues: readonly string[]): string {
  const rest = issues.length - MAX_NAMED;
  const named = issues.slice(0, MAX_NAMED).join(', ');
  return rest > 0 ? `${named} and ${rest} more` : named;
}
