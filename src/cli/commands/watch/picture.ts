/** What the screen shows, read from the daemon in one go. */
import type { IssueView } from '../../../protocol/board.ts';
import { adminEndpoints } from '../../../protocol/endpoints/admin.ts';
import { issueEndpoints } from '../../../protocol/endpoints/issues.ts';
import { workerEndpoints } from '../../../protocol/endpoints/workers.ts';
import type { HealthView, InboxItem, WorkerView } from '../../../protocol/operator.ts';
import type { DaemonClient } from '../../daemon-client.ts';
import type { SentEvent } from '../../event-stream.ts';

export interface Picture {
  readonly health: HealthView;
  readonly issues: readonly IssueView[];
  readonly workers: readonly WorkerView[];
  readonly inbox: readonly InboxItem[];
}

export interface Scene {
  /** Undefined until it was read for the first time. */
  readonly picture: Picture | undefined;
  /** The last ones, oldest first. */
  readonly events: readonly SentEvent[];
  /** Why the daemon cannot be asked at present. */
  readonly away: string | undefined;
}

export async function readPicture(daemon: DaemonClient): Promise<Picture> {
  const [health, issues, workers, inbox] = await Promise.all([
    daemon.call(adminEndpoints.health),
    daemon.call(issueEndpoints.list),
    daemon.call(workerEndpoints.list),
    daemon.call(adminEndpoints.inbox),
  ]);
  return { health, issues, workers, inbox };
}
