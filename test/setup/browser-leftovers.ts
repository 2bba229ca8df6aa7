/** Fails a test file that leaves a Chromium running, and kills the Chromium. */
import { afterAll, expect } from 'vitest';
import { listRemainingChromiums } from '../support/chromium.ts';

afterAll(async () => {
  const left = await listRemainingChromiums();
  for (const pid of left) process.kill(pid, 'SIGKILL');
  expect(left, 'Chromium left behind by this file').toEqual([]);
});
