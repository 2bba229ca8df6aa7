/** Judges past kills: a kill was wrong if the killed attempt turns out to have been active. */
import { judgeKill, type KillVerdict } from '../../core/health/kill-record.ts';
import type { UnjudgedKill } from '../../core/state/fleet-state.ts';
import type { LegionState } from '../../core/state/state.ts';
import type { StateContext } from '../context/daemon-context.ts';

/**
 * Judges each kill once there is enough evidence, such as late activity or a late report of the
 * killed attempt. If a kill is not judged yet, resolves to the time of the next check.
 */
export async function judgeKills({ ledger, clock, settings }: StateContext): Promise<number | undefined> {
  const again: number[] = [];
  for (const kill of ledger.state.kills.unjudged) {
    const { verdict, why, lookAgainAt } = judgeRecordedKill(
      ledger.state,
      kill,
      clock.now(),
      settings().health,
    );
    if (verdict === 'open') {
      if (lookAgainAt !== undefined) again.push(lookAgainAt);
      continue;
    }
    const { issue, mode, attempt, kill: serial } = kill;
    const right = verdict === 'right';
    await ledger.append([{ type: 'kill.judged', issue, mode, attempt, kill: serial, right, why }]);
  }
  return again.length === 0 ? undefined : Math.min(...again);
}

function judgeRecordedKill(
  { workers }: LegionState,
  kill: UnjudgedKill,
  now: number,
  limits: Parameters<typeof judgeKill>[3],
): KillVerdict {
  const late = workers.get(kill.worker)?.lateReports.find(({ attempt }) => attempt === kill.attempt);
  const { changeAt, agentEventAt } = kill;
  return judgeKill(kill, { reportAt: late?.at ?? 'none', changeAt, agentEventAt }, now, limits);
}
