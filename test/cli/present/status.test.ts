import { expect, test } from 'vitest';
import { renderHealth } from '../../../src/cli/present/status.ts';
import { type HealthView, healthSchema } from '../../../src/protocol/status.ts';

const HEALTH: HealthView = {
  ok: true,
  legion: 'demo',
  version: '1',
  pid: 1,
  startedAt: 0,
  epoch: 1,
  journalVersion: 1,
  backend: 'local',
  forge: 'local',
  host: 'local',
  workers: { live: 0, waiting: 0, limit: 1 },
  starts: { allowed: true },
  autoAdvance: true,
  troubles: [],
};

const says = 'The board is read every 30s, because CI runs for A-1.';

test('`legion status` shows the pace of polling and the reason for it, unless the pace is normal', () => {
  const render = (polling: HealthView['polling']) =>
    renderHealth(healthSchema.parse({ ...HEALTH, polling }), 0).join('\n');
  expect(render({ intervalMs: 30_000, reason: 'waiting_for_ci', says })).toContain(says);
  expect(render({ intervalMs: 30_000, reason: 'normal', says })).not.toContain(says);
  expect(render(undefined)).not.toContain('The board is read');
});
