import { expect, test } from 'vitest';
import { CRUCIAL, expectNothingBroken, MOMENTS, SOURCES } from './support/enumerate.ts';

const AS_USUAL = MOMENTS.slice(0, 1);

test('no guarantee is violated just before a kill, whatever each evidence source shows about the process', () => {
  const { process, agent, tool, cpu, children, sessionFile, output } = SOURCES;
  const state = ['spawned', 'executing'] as const;
  const body = { process, agent, tool, cpu, children, sessionFile, output };
  expect(expectNothingBroken({ state, suspicion: CRUCIAL, ...body }, AS_USUAL)).toBe(84_672);
});

test('no guarantee is violated by any combination of tools, quotas, checkpoints and reports', () => {
  const { process, agent, tool, rateLimit, checkpoint, report, workspace, sessionFile } = SOURCES;
  const state = ['spawned', 'executing'] as const;
  const work = { process, agent, tool, rateLimit, checkpoint, report, workspace, sessionFile };
  expect(expectNothingBroken({ state, suspicion: CRUCIAL, ...work }, AS_USUAL)).toBe(564_480);
});
