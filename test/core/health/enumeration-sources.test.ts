import { expect, test } from 'vitest';
import { CRUCIAL, expectNothingBroken, MOMENTS, SOURCES } from './support/enumerate.ts';

const AS_USUAL = MOMENTS.slice(0, 1);

test('where a kill is near, with every value of every bodily source, no promise is broken', () => {
  const { process, agent, tool, cpu, children, sessionFile, output } = SOURCES;
  const state = ['spawned', 'executing'] as const;
  const body = { process, agent, tool, cpu, children, sessionFile, output };
  expect(expectNothingBroken({ state, suspicion: CRUCIAL, ...body }, AS_USUAL)).toBe(84_672);
});

test('with tools, quotas, checkpoints and reports in every combination, no promise is broken', () => {
  const { process, agent, tool, rateLimit, checkpoint, report, workspace, sessionFile } = SOURCES;
  const state = ['spawned', 'executing'] as const;
  const work = { process, agent, tool, rateLimit, checkpoint, report, workspace, sessionFile };
  expect(expectNothingBroken({ state, suspicion: CRUCIAL, ...work }, AS_USUAL)).toBe(564_480);
});
