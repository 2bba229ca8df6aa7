import { expect, test } from 'vitest';
import { REMINDER } from '../../src/driving/next-prompt.ts';
import { REAL_AGENTS, realStage } from './legion.ts';
import { began, hasHeard, longCommand, modeOf, plays, until } from './plays.ts';

const begin = realStage();
const ASKS = {
  phase: 'architect',
  steps: [{ ask: 'Which colour?' }, { handoff: 'It is red' }, { done: 'specified' }],
};

test.for(REAL_AGENTS)(
  '%s is told when it ends its turn without a report, and then reports',
  async ([agent]) => {
    const reminder = REMINDER.slice(0, 40);
    const life = await begin(agent, {
      mind: until(reminder, 'architect', () => ({ say: 'I think that was it.' })),
    });
    const issue = await life.add();
    await life.untilIssue(
      issue,
      'past the architect',
      ({ status }) => status !== 'Triage' && status !== 'Backlog',
    );
    const events = await life.door.events();
    expect(events.filter((event) => event.type === 'attempt.crashed')).toEqual([]);
    expect(life.model.asked.some(({ seen }) => hasHeard(seen, reminder))).toBe(true);
  },
);

test.for(REAL_AGENTS)(
  '%s asks a person, and goes on with the answer in the same session',
  async ([agent]) => {
    const life = await begin(agent, { mind: plays(ASKS) });
    const issue = await life.add();
    await life.untilLabel(issue, 'user-input-needed');
    await life.door.post(`/issues/${issue}/answer`, { text: 'Crimson, of course.', by: 'ada' });
    await life.untilIssue(
      issue,
      'past the architect',
      ({ status }) => status !== 'Triage' && status !== 'Backlog',
    );
    const dispatched = (await life.door.events()).filter(
      (event) => event.type === 'attempt.dispatched' && event.mode === 'architect',
    );
    expect(dispatched).toHaveLength(2);
    const answered = life.model.asked.filter(({ seen }) => hasHeard(seen, 'Crimson, of course.'));
    expect(answered[0]?.seen.prompts.length).toBeGreaterThan(1);
  },
);

test.for(REAL_AGENTS)(
  '%s is interrupted in a long command and goes on with what it was told',
  async ([agent]) => {
    const long = plays({ phase: 'architect', steps: [{ run: longCommand(300) }, { done: 'never' }] });
    const life = await begin(agent, { mind: until('Leave that', 'architect', long) });
    const issue = await life.add();
    await began(life, 'architect');
    const worker = `${issue.toLowerCase()}-architect`;
    const told = { text: 'Leave that, and report.', by: 'ada', interrupt: true };
    expect(await life.door.post(`/workers/${worker}/prompt`, told)).toMatchObject({ delivery: 'queued' });
    await life.untilIssue(
      issue,
      'past the architect',
      ({ status }) => status !== 'Triage' && status !== 'Backlog',
    );
    const events = await life.door.events();
    expect(events.filter((event) => event.type === 'message.delivered')).toHaveLength(1);
    expect(
      events.filter((event) => event.type === 'attempt.dispatched' && event.mode === 'architect'),
    ).toHaveLength(1);
  },
);

test.for(REAL_AGENTS)(
  '%s hears what was said while it was busy before its report counts',
  async ([agent]) => {
    const busy = plays({
      phase: 'architect',
      steps: [{ run: longCommand(5) }, { handoff: 'x' }, { done: 'early' }],
    });
    const life = await begin(agent, { mind: until('Mind the dates', 'architect', busy) });
    const issue = await life.add();
    await began(life, 'architect');
    await life.door.post(`/workers/${issue.toLowerCase()}-architect/prompt`, {
      text: 'Mind the dates.',
      by: 'ada',
    });
    await life.untilIssue(
      issue,
      'past the architect',
      ({ status }) => status !== 'Triage' && status !== 'Backlog',
    );
    const events = await life.door.events();
    expect(events.filter((event) => event.type === 'message.delivered')).toHaveLength(1);
    const asked = life.model.asked.filter(({ seen }) => modeOf(seen) === 'architect');
    expect(asked.some(({ body }) => JSON.stringify(body).includes('Mind the dates.'))).toBe(true);
  },
);
