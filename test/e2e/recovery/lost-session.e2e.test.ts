import { expect, test } from 'vitest';
import { setUpDaemons } from '../support/legion.ts';

const startDaemon = setUpDaemons();

const PLANNING = `limits: { respawns: 1, per_mode: { implement: 0 } }
health: { grace: 0s, second_look: 0.1s, backoff_first: 0.1s, after_step: 1s, breaker_crashes: 100 }
`;

const HALF_WAY = {
  stage: 'half way',
  completed: ['the model'],
  remaining: ['the view'],
  lastAction: 'wrote it',
};

test('after a crash, resumes the session; if that fails, starts a fresh session from the checkpoint, and counts only one crash', async () => {
  const daemon = await startDaemon({
    yaml: PLANNING,
    scenario: [{ attempt: 1, steps: [{ checkpoint: HALF_WAY }, { lose_session: true }, { crash: 1 }] }],
  });
  const id = await daemon.add({ status: 'Todo' });
  await daemon.untilStatus(id, 'In Progress');
  const events = await daemon.client.events();
  const lives = events.flatMap((event) =>
    event.type === 'attempt.dispatched' ? [[event.attempt, event.version, event.session]] : [],
  );
  const [first, second, third] = lives;
  expect(lives.map(([attempt, version]) => [attempt, version])).toEqual([
    [1, 0],
    [2, 0],
    [3, 1],
  ]);
  expect([second?.[2] === first?.[2], third?.[2] === first?.[2]]).toEqual([true, false]);
  const crashes = events.flatMap((event) =>
    event.type === 'attempt.crashed' ? [event.session ?? 'kept'] : [],
  );
  expect(crashes).toEqual(['kept', 'lost']);
  const { workers } = await daemon.detail(id);
  expect(workers.map(({ attempt, status, crashes: counted }) => [attempt, status, counted])).toEqual([
    [3, 'finished', 1],
  ]);
  expect(daemon.prompts(id, 'plan').at(-1)).toContain('Completed: the model');
});

test('asks a person if the session is lost repeatedly', async () => {
  const daemon = await startDaemon({
    yaml: PLANNING,
    scenario: [{ steps: [{ lose_session: true }, { crash: 1 }] }],
  });
  const id = await daemon.add({ status: 'Todo' });
  await daemon.untilLabel(id, 'legion-paused');
  const dispatched = (await daemon.client.events()).filter(({ type }) => type === 'attempt.dispatched');
  expect(dispatched).toHaveLength(3);
});
