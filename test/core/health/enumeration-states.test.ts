import { expect, test } from 'vitest';
import { LIFECYCLE_STATES } from '../../../src/core/model/lifecycle.ts';
import { expectNothingBroken, SOURCES, SUSPICIONS } from './support/enumerate.ts';

test('no guarantee is violated in any lifecycle state, under any suspicion, at any moment', () => {
  const { process, agent, cpu, sessionFile, report, workspace } = SOURCES;
  const cases = expectNothingBroken({
    state: LIFECYCLE_STATES,
    suspicion: SUSPICIONS,
    process: process.filter((value) => value === 'unavailable' || value.state !== 'never_seen'),
    agent: agent.filter((value) => value === 'unavailable' || value.kind !== 'tool_started').slice(1),
    cpu,
    sessionFile,
    report: report.filter((value) => typeof value !== 'object' || value.where === 'outbox'),
    workspace,
  });
  expect(cases).toBe(1_283_040);
});
