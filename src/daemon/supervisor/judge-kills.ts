/** Judges each kill once it can be told whether it was right: by what the killed attempt had still done, or reported. */
import { judgeKill, type KillVerdict } from '../../core/health/kill-record.ts';
import type { Swarm } from '../../core/state/state.ts';
import type { UnjudgedKill } from '../../swarm/fleet-state.ts';
import type { World } from '../world.ts';

/** Resolves to when to look again, if a kill is not judged yet. */
export async function judgeKills({ ledger, clock, settings }: World): Promise<number | undefined> {
  const again: number[] = [];
  for (const kill of ledger.swarm.kills.unjudged) {
    const { verdict, why, lookAgainAt } = judged(ledger.swarm, kill, clock.now(), settings().health);
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

function judged(
  { workers }: Swarm,
  kill: UnjudgedKill,
  now: number,
  limits: Parameters<typeof judgeKill>[3],
): KillVerdict {
  const late = workers.get(kill.worker)?.lateReports.find(({ attempt }) => attempt === kill.attempt);
  const { changeAt, agentEventAt } = kill;
  return judgeKill(kill, { reportAt: late?.at ?? 'none', changeAt, agentEventAt }, now, limits);
}
