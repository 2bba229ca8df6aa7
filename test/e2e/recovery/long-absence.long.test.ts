import { readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Event } from '../../../src/core/model/event.ts';
import type { IssueView } from '../../../src/protocol/board.ts';
import type { InboxItem, WorkerView } from '../../../src/protocol/operator.ts';
import { giveWord, waitForWord } from '../../daemon/life/signs.ts';
import { processesOf } from '../../support/end-workers.ts';
import { type TestLegion, testLegion, until } from '../../support/running-daemon.ts';
import { type RunningApart, startApart } from '../../support/running-process.ts';
import { doubleDispatches, reportsOf } from '../support/attempts.ts';

const HOUR_MS = 3_600_000;
const WORKERS = 8;
/** Ten starts of Node and three of the daemon; on a busy machine many times what they take. */
const TEST_MOST_MS = 240_000;

/**
 * The first daemon lives an hour ago: its clock is set back, and with it all it writes into the journal. What it and its
 * workers have left in files is made an hour older when they have ended. The next daemon has the machine's own clock.
 */
const AN_HOUR_AGO = `data:text/javascript,const now = Date.now; Date.now = () => now() - ${HOUR_MS};`;

let legion: TestLegion;
let daemon: RunningApart | undefined;
afterEach(async () => {
  await daemon?.stop();
  await legion.endWorkers();
  legion.dispose();
});

test(
  'what workers finished, asked and failed at while no daemon was there for an hour is taken up, all of it and once',
  async () => {
    const at = (issue: number, steps: readonly object[]) => ({
      issue: `DEMO-${issue}`,
      attempt: 1,
      steps: [{ say: 'at work' }, waitForWord('alone'), ...steps],
    });
    legion = await testLegion({
      // An hour is long enough for every limit that is about silence; these are the default ones.
      yaml: `limits: { workers: ${WORKERS}, per_mode: { implement: 0 } }\nhealth: { grace: 0s, second_look: 0.1s }\n`,
      scenario: [
        at(7, [{ ask: 'Which one?' }]),
        at(8, [{ crash: 1 }]),
        { issue: 'DEMO-8', steps: [{ handoff: 'the plan' }, { done: 'planned after all' }] },
        {
          steps: [
            { say: 'at work' },
            waitForWord('alone'),
            { comment: 'Nearly there.' },
            { handoff: 'the plan' },
            { done: 'planned' },
          ],
        },
      ],
    });
    const past = { ...legion.environment, NODE_OPTIONS: `--import=${encodeURI(AN_HOUR_AGO)}` };
    daemon = await startApart({ ...legion, environment: past });
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
    giveWord(legion, 'alone');
    await until(
      async () => processesOf(legion.state),
      (left) => left.length === 0,
      60_000,
    );
    ageBy(HOUR_MS, legion.folder);

    daemon = await startApart(legion);
    await untilTakenUp(daemon, ids);
    const before = await daemon.events();
    // And once more, with everything taken up: nothing of it may come again.
    await daemon.stop();
    daemon = await startApart(legion);
    await untilTakenUp(daemon, ids);
    const events = await daemon.events();
    const fresh = events
      .slice(before.length)
      .filter(({ type }) => /^(?:attempt|question|handoff)\./.test(type));
    expect(fresh).toEqual([]);

    expect(longestPause(events)).toBeGreaterThan(0.9 * HOUR_MS);
    expect(reportsOf(events).sort()).toEqual([...ids.slice(0, 6).map(() => 'plan 1'), 'plan 2']);
    expect(doubleDispatches(events)).toEqual([]);
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
  TEST_MOST_MS,
);

const BODY =
  'The library should export a function that greets a person by name; an empty name must be refused.';

/** Seven are planned, one of them by a second worker; one waits for an answer; nobody is there any more. */
async function untilTakenUp({ get, events }: RunningApart, ids: readonly string[]): Promise<void> {
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
