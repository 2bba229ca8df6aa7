/** `legion status`: the daemon, and each issue with its worker and why it is where it is. */

import { styleText } from 'node:util';
import { Command } from '@commander-js/extra-typings';
import { LegionError } from '../../domain/fault.ts';
import { isLive, isWaiting } from '../../domain/lifecycle.ts';
import { STATUSES } from '../../domain/status.ts';
import type { IssueState } from '../../protocol/board-state.ts';
import { adminEndpoints } from '../../protocol/endpoints/admin.ts';
import { stateEndpoints } from '../../protocol/endpoints/state.ts';
import { workerEndpoints } from '../../protocol/endpoints/workers.ts';
import type { HealthView, InboxItem } from '../../protocol/operator.ts';
import type { DaemonClient } from '../daemon-client.ts';
import { healthLines } from '../present/health.ts';
import { type Cell, table } from '../present/table.ts';
import { lifecycleStyle } from '../present/words.ts';
import { daemonCommand } from '../program/daemon-command.ts';
import { examples } from '../program/examples.ts';

interface Issues {
  readonly states: readonly IssueState[];
  /** Why the board could not be read anew; the rest of the answer is still of use. */
  readonly unread?: LegionError;
}

export const status = daemonCommand(
  () =>
    new Command()
      .description(
        'Show the daemon with its problems, and each open issue with its worker and why it is where it is.',
      )
      .option('--all', 'Show issues that are done or closed, too')
      .addHelpText('after', examples('legion status', 'legion status --all --json')),
  async ({ options }, { daemon, columns }) => {
    const [health, workers, inbox, issues] = await Promise.all([
      daemon.call(adminEndpoints.health),
      daemon.call(workerEndpoints.list),
      readInbox(daemon),
      readIssues(daemon),
    ]);
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
      text: page({ ...health, troubles }, { ...issues, states }, inbox.length, columns),
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

function page(health: HealthView, { states, unread }: Issues, waiting: number, columns: number): string {
  const rows = states.map((state) => [state.id, state.status, workerCell(state), state.title, state.says]);
  return [
    ...healthLines(health, Date.now()),
    ...(waiting === 0 ? [] : [styleText('yellow', `${waiting} waiting for you: legion inbox`)]),
    '',
    ...(unread === undefined ? [] : ['The board cannot be read now; this is how it was seen last.', '']),
    rows.length === 0
      ? unread === undefined
        ? 'No issue is open.'
        : 'It has not been read yet.'
      : table(['ISSUE', 'STATUS', 'WORKER', 'TITLE', 'WHY'], rows, columns).trimEnd(),
  ].join('\n');
}

function isOver({ status: column }: IssueState): boolean {
  return column === 'Done' || column === 'terminal';
}

/** A worker of a closed issue costs money as any other, so its issue is shown. */
function hasWorkerNow({ hasLiveWorker, isWorkerStopping }: IssueState): boolean {
  return hasLiveWorker || isWorkerStopping === true;
}

/** The present worker; one that has ended says nothing about now. */
function workerCell({ workerMode, workerStatus, isWorkerStopping, hasWorkerExited }: IssueState): Cell {
  if (workerMode === null || workerStatus === null) return '';
  if (isWorkerStopping === true) return { text: `${workerMode} stopping`, style: 'yellow' };
  if (hasWorkerExited === true) return { text: `${workerMode} exited`, style: 'yellow' };
  if (!isLive(workerStatus) && !isWaiting(workerStatus)) return '';
  return { text: `${workerMode} ${workerStatus}`, style: lifecycleStyle(workerStatus) };
}

function rank({ status: column }: IssueState): number {
  const place = (STATUSES as readonly string[]).indexOf(column);
  return place === -1 ? STATUSES.length : place;
}
