import { expect, test } from 'vitest';
import { parsePromptFacts } from '../model/prompt-facts.ts';
import { CANARY, REAL_AGENTS, useRealStage } from './legion.ts';
import { createPlay, findMode } from './plays.ts';

const startDaemon = useRealStage();

test.for(REAL_AGENTS)('a worker that hangs in %s does not block the other workers', async ([agent]) => {
  const built = createPlay();
  const daemon = await startDaemon(agent, {
    mind: (seen) =>
      seen.prompts.some((prompt) => parsePromptFacts(prompt)?.issue === 'DEMO-1')
        ? { silent: true }
        : built(seen),
  });
  const wedged = await daemon.add();
  const other = await daemon.add({ title: 'Another greeting' });
  await daemon.untilStatus(other, 'In Progress');
  const workers = await daemon.client.get<{ id: string; status: string }[]>('/workers');
  expect(workers.filter(({ id }) => id.startsWith(wedged.toLowerCase()))).toMatchObject([
    { status: 'executing' },
  ]);
});

test.for(REAL_AGENTS)(
  "%s and its commands see the variables of their worker, but not the daemon's secrets",
  async ([agent]) => {
    const built = createPlay();
    const results: string[] = [];
    const daemon = await startDaemon(agent, {
      mind: (seen) => {
        if (findMode(seen) !== 'architect') return built(seen);
        const [first, ...rest] = seen.calls;
        if (first === undefined) return { run: 'env; cat /proc/$PPID/environ | tr "\\0" "\\n"' };
        results.push(first.result ?? '');
        return built({ ...seen, calls: rest });
      },
    });
    const issue = await daemon.add();
    await daemon.untilIssue(
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
