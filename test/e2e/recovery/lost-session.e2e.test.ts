import { expect, test } from 'vitest';
import { stage } from '../support/legion.ts';

const begin = stage();

const PLANNING = `limits: { respawns: 1, per_mode: { implement: 0 } }
health: { grace: 0s, second_look: 0.1s, backoff_first: 0.1s, after_step: 1s, breaker_crashes: 100 }
`;

const HALF_WAY = {
  stage: 'half way',
  completed: ['the model'],
  remaining: ['the view'],
  lastAction: 'wrote it',
};

test('a crash is followed by a resume, and where that fails by a fresh session with the checkpoint: one respawn', async () => {
  const life = await begin({
    yaml: PLANNING,
    scenario: [{ attempt: 1, steps: [{ checkpoint: HALF_WAY }, { lose_session: true }, { crash: 1 }] }],
  });
  const id = await life.add({ status: 'Todo' });
  await life.untilStatus(id, 'In Progress');
  const events = await life.door.events();
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
  const { workers } = await life.detail(id);
  expect(workers.map(({ attempt, status, crashes: counted }) => [attempt, status, counted])).toEqual([
    [3, 'finished', 1],
  ]);
  expect(life.prompts(id, 'plan').at(-1)).toContain('Completed: the model');
});

test('a session that is lost again and again goes to a person', async () => {
  const life = await begin({
    yaml: PLANNING,
    scenario: [{ steps: [{ lose_session: true }, { crash: 1 }] }],
  });
  const id = await life.add({ status: 'Todo' });
  await life.untilLabel(id, 'legion-paused');
  const dispatched = (await life.door.events()).filter(({ type }) => type === 'attempt.dispatched');
  expect(dispatched).toHaveLength(3);
});
