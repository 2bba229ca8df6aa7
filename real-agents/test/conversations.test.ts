import { expect, test } from 'vitest';
import { REMINDER } from '../../src/agents/runner/reminders.ts';
import type { WorkerView } from '../../src/protocol/workers.ts';
import { until } from '../../test/support/running-daemon.ts';
import type { ModelMove, ScriptedMind } from '../model/mind.ts';
import { REAL_AGENTS, useRealStage } from './legion.ts';
import {
  buildLongCommand,
  createPlay,
  createPlayUntilHeard,
  findMode,
  hasHeard,
  waitForCommandStart,
} from './plays.ts';

const startDaemon = useRealStage();
const ASKS = {
  phase: 'architect',
  steps: [{ ask: 'Which colour?' }, { handoff: 'It is red' }, { done: 'specified' }],
};

test.for(REAL_AGENTS)(
  'if %s ends its turn without a report, it is reminded and then reports',
  async ([agent]) => {
    const reminder = REMINDER.slice(0, 40);
    const daemon = await startDaemon(agent, {
      mind: createPlayUntilHeard(reminder, 'architect', () => ({ say: 'I think that was it.' })),
    });
    const issue = await daemon.add();
    await daemon.untilIssue(
      issue,
      'past the architect',
      ({ status }) => status !== 'Triage' && status !== 'Backlog',
    );
    const events = await daemon.client.events();
    expect(events.filter((event) => event.type === 'attempt.crashed')).toEqual([]);
    expect(daemon.model.asked.some(({ seen }) => hasHeard(seen, reminder))).toBe(true);
  },
);

test.for(REAL_AGENTS)(
  '%s asks a person and, once there is an answer, continues in the same session',
  async ([agent]) => {
    const daemon = await startDaemon(agent, { mind: createPlay(ASKS) });
    const issue = await daemon.add();
    await daemon.untilLabel(issue, 'user-input-needed');
    await daemon.client.post(`/issues/${issue}/answer`, { text: 'Crimson, of course.', by: 'ada' });
    await daemon.untilIssue(
      issue,
      'past the architect',
      ({ status }) => status !== 'Triage' && status !== 'Backlog',
    );
    const dispatched = (await daemon.client.events()).filter(
      (event) => event.type === 'attempt.dispatched' && event.mode === 'architect',
    );
    expect(dispatched).toHaveLength(2);
    const answered = daemon.model.asked.filter(({ seen }) => hasHeard(seen, 'Crimson, of course.'));
    expect(answered[0]?.seen.prompts.length).toBeGreaterThan(1);
  },
);

test.for(REAL_AGENTS)(
  '%s is interrupted during a long command and continues with the message',
  async ([agent]) => {
    const long = createPlay({
      phase: 'architect',
      steps: [{ run: buildLongCommand(300) }, { done: 'never' }],
    });
    const daemon = await startDaemon(agent, { mind: createPlayUntilHeard('Leave that', 'architect', long) });
    const issue = await daemon.add();
    await waitForCommandStart(daemon, 'architect');
    const worker = `${issue.toLowerCase()}-architect`;
    const told = { text: 'Leave that, and report.', by: 'ada', interrupt: true };
    expect(await daemon.client.post(`/workers/${worker}/prompt`, told)).toMatchObject({ delivery: 'queued' });
    await daemon.untilIssue(
      issue,
      'past the architect',
      ({ status }) => status !== 'Triage' && status !== 'Backlog',
    );
    const events = await daemon.client.events();
    expect(events.filter((event) => event.type === 'message.delivered')).toHaveLength(1);
    expect(
      events.filter((event) => event.type === 'attempt.dispatched' && event.mode === 'architect'),
    ).toHaveLength(1);
  },
);

test.for(REAL_AGENTS)(
  'if messages are sent while %s is busy, it receives them before its report is accepted',
  async ([agent]) => {
    const busy = createPlay({
      phase: 'architect',
      steps: [{ run: buildLongCommand(5) }, { handoff: 'x' }, { done: 'early' }],
    });
    const daemon = await startDaemon(agent, {
      mind: createPlayUntilHeard('Mind the dates', 'architect', busy),
    });
    const issue = await daemon.add();
    await waitForCommandStart(daemon, 'architect');
    await daemon.client.post(`/workers/${issue.toLowerCase()}-architect/prompt`, {
      text: 'Mind the dates.',
      by: 'ada',
    });
    await daemon.untilIssue(
      issue,
      'past the architect',
      ({ status }) => status !== 'Triage' && status !== 'Backlog',
    );
    const events = await daemon.client.events();
    expect(events.filter((event) => event.type === 'message.delivered')).toHaveLength(1);
    const asked = daemon.model.asked.filter(({ seen }) => findMode(seen) === 'architect');
    expect(asked.some(({ body }) => JSON.stringify(body).includes('Mind the dates.'))).toBe(true);
  },
);

test.for(REAL_AGENTS)(
  '%s is asked to stop during a long command, gets more time, and ends by itself',
  async ([agent]) => {
    const long = createPlay({
      phase: 'architect',
      steps: [{ run: buildLongCommand(300) }, { done: 'never' }],
    });
    const answers: ModelMove[] = [
      { verb: 'status', input: { text: 'working', reason: 'one more command' } },
      { run: 'sleep 1' },
      { verb: 'checkpoint', input: { stage: 'stopped half way' } },
    ];
    const mind: ScriptedMind = (seen) =>
      findMode(seen) === 'architect' && hasHeard(seen, 'Legion asks you to stop')
        ? (answers.shift() ?? { say: 'I stop.' })
        : long(seen);
    const daemon = await startDaemon(agent, { mind });
    const issue = await daemon.add();
    await waitForCommandStart(daemon, 'architect');
    const worker = `${issue.toLowerCase()}-architect`;
    await daemon.client.request('DELETE', `/workers/${worker}?by=ada`);
    await until(
      () => daemon.client.get<WorkerView>(`/workers/${worker}`),
      ({ exit }) => exit !== undefined,
      100_000,
    );
    const events = await daemon.client.events();
    const findEvents = (type: string) => events.filter((event) => event.type === type);
    expect(findEvents('attempt.stop_extended')).toMatchObject([{ extension: 1, why: 'one more command' }]);
    expect(findEvents('checkpoint.saved')).toMatchObject([{ stage: 'stopped half way' }]);
    expect(findEvents('attempt.exited')).toMatchObject([{ code: 0, signal: null }]);
    expect(findEvents('attempt.crashed')).toEqual([]);
  },
);
