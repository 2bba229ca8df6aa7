/** Computes the share of workers that each host runs. Pure. */
import { isLive, isWaiting } from '../../../../../src/core/model/lifecycle.ts';
import type { WorkerView } from '../../../../../src/protocol/workers.ts';

export interface HostLoad {
  readonly host: string;
  readonly live: number;
  readonly waiting: number;
}

/** Returns all hosts. The daemon's own host comes first, even if no worker runs on it. */
export function listHosts(own: string, workers: readonly WorkerView[]): readonly HostLoad[] {
  const busy = workers.filter(({ status }) => isLive(status) || isWaiting(status));
  const byHost = Map.groupBy(busy, ({ host }) => host);
  const names = [own, ...[...byHost.keys()].filter((host) => host !== own).sort()];
  return names.map((host) => {
    const members = byHost.get(host) ?? [];
    const live = members.filter(({ status }) => isLive(status)).length;
    return { host, live, waiting: members.length - live };
  });
}
