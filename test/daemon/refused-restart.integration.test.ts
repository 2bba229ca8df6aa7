import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { HealthView } from '../../src/protocol/status.ts';
import { createTestLegion } from '../support/running-daemon.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

test('POST /restart refuses an invalid legion.yaml and keeps the daemon running', async () => {
  const legion = await createTestLegion();
  ends.push(async () => legion.dispose());
  const daemon = await legion.start();
  ends.push(() => daemon.stop());
  const { pid } = await daemon.get<HealthView>('/health');
  writeFileSync(join(legion.repository, 'legion.yaml'), 'legion: demo\nworkerz: 3\n');

  const refused = await daemon.request('POST', '/restart', {});
  expect(refused).toMatchObject({ status: 400, body: { error: { code: 'config.invalid' } } });
  expect(JSON.stringify(refused.body)).toContain('unknown key \\"workerz\\"');
  expect(await daemon.get<HealthView>('/health')).toMatchObject({ pid });

  legion.reconfigure('');
  await daemon.post('/restart');
  expect(await daemon.stop()).toBe('restart');
});
