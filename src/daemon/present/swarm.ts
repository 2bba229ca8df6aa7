/** The folded state as plain JSON. */
import type { Swarm } from '../../swarm/state.ts';

export function swarmAsJson(swarm: Swarm): unknown {
  const {
    issues,
    workers,
    workersByIssue,
    present,
    failing,
    intents,
    messages,
    quotas,
    spending,
    board,
    leader,
    ...rest
  } = swarm;
  return {
    ...rest,
    leader: leader ?? null,
    issues: Object.fromEntries(issues),
    workers: Object.fromEntries(workers),
    intents: Object.fromEntries(intents),
    messages: Object.fromEntries(messages),
    quotas: Object.fromEntries(quotas),
    spending: Object.fromEntries(spending),
    board: Object.fromEntries(board),
  };
}
