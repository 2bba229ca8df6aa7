import { readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Event } from '../../../src/core/model/event.ts';
import type { IssueView } from '../../../src/protocol/board.ts';
import type { InboxItem } from '../../../src/protocol/operator.ts';
import type { WorkerView } from '../../../src/protocol/workers.ts';
import { listProcesses } from '../../support/end-workers.ts';
import { createTestLegion, type TestLegion, until } from '../../support/running-daemon.ts';
import { type RunningProcess, startDaemonProcess } from '../../support/running-process.ts';
import { findDoubleDispatches, listReports } from '../support/attempts.ts';
import { sendSignal, waitForSignal } from '../support/worker-signals.ts';

const HOUR_MS = 3_600_000;
const WORKERS = 8;
/** Time for ten starts of Node and three of the daemon, with a large margin for a busy machine. */
const MAX_TEST_MS = 240_000;

/**
 * Sets the first daemon's clock back by an hour, and thus the times in its journal. After that
 * daemon and its workers have ended, their files are aged by an hour as well. The next daemon uses
 * the machine's clock.
 */
const AN_HOUR_AGO = `data:text/javascript,const now = Date.now; Date.now = () => now() - ${HOUR_MS};`;

let legion: TestLegion;
let daemon: RunningProcess | undefined;
afterEach(async () => {
  await daemon?.stop();
  await legion.endWorkers();
  legion.dispose();
});

test(
  'processes everything that workers finished, asked or failed during an hour without a daemon, completely and only once',
  async () => {
    const at = (issue: number, steps: readonly object[]) => ({
      issue: `DEMO-${issue}`,
      attempt: 1,
      steps: [{ say: 'at work' }, waitForSignal('alone'), ...steps],
    });
    legion = await createTestLegion({
      // The silence limits keep their default values, all of which are below an hour.
      yaml: `limits: { workers: ${WORKERS}, per_mode: { implement: 0 } }\nhealth: { grace: 0s, second_look: 0.1s }\n`,
      scenario: [
        at(7, [{ ask: 'Which one?' }]),
        at(8, [{ crash: 1 }]),
        { issue: 'DEMO-8', steps: [{ handoff: 'the plan' }, { done: 'planned after all' }] },
        {
          steps: [
            { say: 'at work' },
            waitForSignal('alone'),
            { comment: 'Nearly there.' },
            { handoff: 'the plan' },
            { done: 'planned' },
          ],
        },
      ],
    });
    const past = { ...legion.environment, NODE_OPTIONS: `--import=${encodeURI(AN_HOUR_AGO)}` };
    daemon = await startDaemonProcess({ ...legion, environment: past });
    const { post, get } = daemon;
    const ids: string[] = [];
    for (let each = 0; each < WORKERS; each += 1)
      ids.push(
        (
          await post<IssueView>('/issues', {
            title: `Plan ${each}`,
            body: BODY,
            status: 'Todo',
            labels: ['chore'],
          })
        ).id,
      );
    const atWork = () => get<WorkerView[]>('/workers');
    await until(
      atWork,
      (workers) => workers.filter(({ status }) => status === 'executing').length === WORKERS,
      60_000,
    );
    await daemon.kill();
    sendSignal(legion, 'alone');
    await until(
      async () => listProcesses(legion.state),
      (left) => left.length === 0,
      60_000,
    );
    ageBy(HOUR_MS, legion.folder);

    daemon = await startDaemonProcess(legion);
    await untilResumed(daemon, ids);
    const before = await daemon.events();
    // Restarts the daemon once more after everything was processed. Nothing may be repeated.
    await daemon.stop();
    daemon = await startDaemonProcess(legion);
    await untilResumed(daemon, ids);
    const events = await daemon.events();
    const fresh = events
      .slice(before.length)
      .filter(({ type }) => /^(?:attempt|question|handoff)\./.test(type));
    expect(fresh).toEqual([]);

    expect(longestPause(events)).toBeGreaterThan(0.9 * HOUR_MS);
    expect(listReports(events).sort()).toEqual([...ids.slice(0, 6).map(() => 'plan 1'), 'plan 2']);
    expect(findDoubleDispatches(events)).toEqual([]);
    const of = (type: Event['type']) =>
      events.flatMap((event) =>
        event.type === type && 'attempt' in event ? [`${event.issue}/${event.attempt}`] : [],
      );
    expect(of('attempt.exited').sort()).toEqual([...ids.map((id) => `${id}/1`), 'DEMO-8/2'].sort());
    expect(of('attempt.crashed')).toEqual(['DEMO-8/1']);
    expect(of('kill.performed')).toEqual([]);
    for (const id of ids.slice(0, 6)) {
      const { comments } = await daemon.get<{ comments: { text: string }[] }>(`/issues/${id}`);
      expect(comments.map(({ text }) => text)).toEqual([expect.stringContaining('Nearly there.')]);
    }
  },
  MAX_TEST_MS,
);

const BODY =
  'The library should export a function that greets a person by name; an empty name must be refused.';

/**
 * Waits until seven issues are planned (one of them by a second worker) and the eighth waits for an
 * answer. All workers must have exited.
 */
async function untilResumed({ get, events }: RunningProcess, ids: readonly string[]): Promise<void> {
  await until(
    () => get<IssueView[]>('/issues'),
    (issues) => issues.filter(({ status }) => status === 'In Progress').length === ids.length - 1,
    60_000,
  );
  await until(events, (all) => all.filter(({ type }) => type === 'attempt.exited').length > ids.length);
  const inbox = await until(
    () => get<InboxItem[]>('/inbox'),
    (items) => items.length > 0,
  );
  expect(inbox.map(({ kind, issue }) => [kind, issue])).toEqual([['question', 'DEMO-7']]);
}

function ageBy(ms: number, folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined) utimesSync(path, (found.atimeMs - ms) / 1_000, (found.mtimeMs - ms) / 1_000);
  }
}

function longestPause(events: readonly Event[]): number {
  return Math.max(...events.map(({ at }, index) => at - (events[index - 1]?.at ?? at)));
}
