/** What the screen shows, read from the daemon in one go. */
import type { IssueView } from '../../../protocol/board.ts';
import {
  type HealthView,
  healthSchema,
  type InboxItem,
  type WorkerView,
} from '../../../protocol/operator.ts';
import type { DaemonClient } from '../../daemon-client.ts';
import type { SentEvent } from '../../event-stream.ts';
import { inboxAnswer, issuesAnswer, workersAnswer } from '../../wire.ts';

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
    daemon.request('GET', '/health', healthSchema),
    daemon.request('GET', '/issues', issuesAnswer),
    daemon.request('GET', '/workers', workersAnswer),
    daemon.request('GET', '/inbox', inboxAnswer),
  ]);
  return { health, issues, workers, inbox };
}
