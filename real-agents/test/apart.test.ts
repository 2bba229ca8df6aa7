import { expect, test } from 'vitest';
import { factsIn } from '../model/prompt-facts.ts';
import { CANARY, REAL_AGENTS, realStage } from './legion.ts';
import { modeOf, plays } from './plays.ts';

const begin = realStage();

test.for(REAL_AGENTS)('of %s one that is wedged keeps nobody else from going on', async ([agent]) => {
  const built = plays();
  const life = await begin(agent, {
    mind: (seen) =>
      seen.prompts.some((prompt) => factsIn(prompt)?.issue === 'DEMO-1') ? { silent: true } : built(seen),
  });
  const wedged = await life.add();
  const other = await life.add({ title: 'Another greeting' });
  await life.untilStatus(other, 'In Progress');
  const workers = await life.door.get<{ id: string; status: string }[]>('/workers');
  expect(workers.filter(({ id }) => id.startsWith(wedged.toLowerCase()))).toMatchObject([
    { status: 'executing' },
  ]);
});

test.for(REAL_AGENTS)(
  '%s and its commands see no secret of the daemon that is on no list, but their own key',
  async ([agent]) => {
    const built = plays();
    const results: string[] = [];
    const life = await begin(agent, {
      mind: (seen) => {
        if (modeOf(seen) !== 'architect') return built(seen);
        const [first, ...rest] = seen.calls;
        if (first === undefined) return { run: 'env; cat /proc/$PPID/environ | tr "\\0" "\\n"' };
        results.push(first.result ?? '');
        return built({ ...seen, calls: rest });
      },
    });
    const issue = await life.add();
    await life.untilIssue(
      issue,
      'past the architect',
      ({ status }) => status !== 'Triage' && status !== 'Backlog',
    );
    const seen = results.join('\n');
    expect(seen).toContain('LEGION_WORKER=');
    expect(seen).not.toContain(CANARY.name);
    expect(seen).not.toContain(CANARY.value);
  },
);
