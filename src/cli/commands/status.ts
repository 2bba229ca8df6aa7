/** `legion status`: the daemon, and each issue with its worker and why it is where it is. */

import { Command } from '@commander-js/extra-typings';
import { CATALOGUE, LegionError } from '../../domain/fault.ts';
import { isFinished, STATUSES } from '../../domain/status.ts';
import type { IssueState } from '../../protocol/board-state.ts';
import { adminEndpoints } from '../../protocol/endpoints/admin.ts';
import { stateEndpoints } from '../../protocol/endpoints/state.ts';
import { workerEndpoints } from '../../protocol/endpoints/workers.ts';
import type { InboxItem } from '../../protocol/operator.ts';
import type { DaemonClient } from '../daemon-client.ts';
import { explainIfNotRunning } from '../explain-not-running.ts';
import { daemonCommand } from '../program/daemon-command.ts';
import { examples } from '../program/examples.ts';

const START_IT = CATALOGUE['daemon.not_running'].next;

interface Issues {
  readonly states: readonly IssueState[];
  /** Why the board could not be read anew; the rest of the answer is still of use. */
  readonly unread?: LegionError;
}

export const status = daemonCommand(
  () =>
    new Command()
      .description(
        'Show the daemon and its problems, and each open issue with its worker and the reason for its state.',
      )
      .option('--all', 'Show issues that are done or closed, too')
      .addHelpText('after', examples('legion status', 'legion status --all --json')),
  async ({ options }, session) => {
    const { daemon, json, columns } = session;
    const [health, workers, inbox, issues, presenter] = await explainIfNotRunning(session, START_IT, () =>
      Promise.all([
        daemon.call(adminEndpoints.health),
        daemon.call(workerEndpoints.list),
        readInbox(daemon),
        readIssues(daemon),
        // Loaded while the daemon works on its answers.
        json ? undefined : import('./status/page.ts'),
      ]),
    );
    const states = issues.states.filter(
      (state) => options.all === true || !isOver(state) || hasWorkerNow(state),
    );
    const { unread } = issues;
    const isTold = health.troubles.some(({ code }) => code === unread?.code);
    const troubles = [
      ...health.troubles,
      ...(unread === undefined || isTold ? [] : [{ ...unread.fault, since: Date.now() }]),
    ];
    return {
      data: { daemon: { ...health, troubles }, workers, inbox, issues: states },
      text:
        presenter?.statusPage(
          {
            health: { ...health, troubles },
            states,
            isOutdated: unread !== undefined,
            waiting: inbox.length,
          },
          columns,
        ) ?? '',
    };
  },
);

/** What waits for a person is among what cannot be read; the rest of the answer is still of use. */
async function readInbox(daemon: DaemonClient): Promise<readonly InboxItem[]> {
  try {
    return await daemon.call(adminEndpoints.inbox);
  } catch (error) {
    if (error instanceof LegionError && error.retryable) return [];
    throw error;
  }
}

async function readIssues(daemon: DaemonClient): Promise<Issues> {
  try {
    return { states: await collected(daemon, false) };
  } catch (error) {
    if (!(error instanceof LegionError)) throw error;
    return { states: await collected(daemon, true), unread: error };
  }
}

async function collected(daemon: DaemonClient, lastSeen: boolean): Promise<readonly IssueState[]> {
  const { issues } = await daemon.call(stateEndpoints.collect, { body: { lastSeen } });
  return Object.values(issues).toSorted((a, b) => rank(a) - rank(b));
}

function isOver({ status }: IssueState): boolean {
  return isFinished(status);
}

/** A worker of a closed issue costs money as any other, so its issue is shown. */
function hasWorkerNow({ hasLiveWorker, isWorkerStopping }: IssueState): boolean {
  return hasLiveWorker || isWorkerStopping === true;
}

function rank({ status: column }: IssueState): number {
  const place = (STATUSES as readonly string[]).indexOf(column);
  return place === -1 ? STATUSES.length : place;
}
