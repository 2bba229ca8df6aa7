/** Fails a test file that leaves a Chromium process running, and kills that process. */
import { afterAll, expect } from 'vitest';
import { listRemainingChromiums } from '../support/chromium.ts';

afterAll(async () => {
  const left = await listRemainingChromiums();
  for (const pid of left) process.kill(pid, 'SIGKILL');
  expect(left, 'Chromium left behind by this file').toEqual([]);
});
