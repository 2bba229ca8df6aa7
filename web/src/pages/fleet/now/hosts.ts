/** The machines that run workers, and how much of the work each has. Pure. */
import { isLive, isWaiting } from '../../../../../src/domain/lifecycle.ts';
import type { WorkerView } from '../../../../../src/protocol/operator.ts';

export interface HostLoad {
  readonly host: string;
  readonly live: number;
  readonly waiting: number;
}

/** The daemon's own first, also where nobody works on it. */
export function hostsOf(own: string, workers: readonly WorkerView[]): readonly HostLoad[] {
  const busy = workers.filter(({ status }) => isLive(status) || isWaiting(status));
  const byHost = Map.groupBy(busy, ({ host }) => host);
  const names = [own, ...[...byHost.keys()].filter((host) => host !== own).sort()];
  return names.map((host) => {
    const members = byHost.get(host) ?? [];
    const live = members.filter(({ status }) => isLive(status)).length;
    return { host, live, waiting: members.length - live };
  });
}
