import { expect, test } from 'vitest';
import { renderExplanation } from '../../../src/cli/commands/inspection/explain.ts';
import { explanationSchema } from '../../../src/protocol/operator.ts';
import { EXPLANATION } from '../support/answers.ts';

test('shows a worker as exited and without a pid if its process has exited', () => {
  const explanation = explanationSchema.parse(EXPLANATION);
  const [worker] = explanation.workers;
  if (worker === undefined) throw new Error('the explanation has no worker');
  const live = { ...worker, status: 'executing', pid: 4711 } as const;
  const page = (shown: typeof live) =>
    renderExplanation({ ...explanation, workers: [shown] }, undefined, { now: 1, details: false });
  expect(page(live)).toContain('executing, pid 4711');
  const exited = page({ ...live, hasExited: true });
  expect(exited).toContain('exited, began');
  expect(exited).not.toContain('pid 4711');
});

test('shows the status of a closed issue as Closed', () => {
  const explanation = explanationSchema.parse(EXPLANATION);
  const state = { ...explanation.state, status: 'terminal' };
  const page = renderExplanation({ ...explanation, state }, undefined, { now: 1, details: false });
  expect(page).toMatch(/status +Closed\n/);
});
