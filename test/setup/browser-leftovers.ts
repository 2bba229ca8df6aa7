/** Fails any file of tests that leaves a Chromium behind; ends it too, because nobody else would. */
import { afterAll, expect } from 'vitest';
import { chromiumsLeft } from '../support/chromium.ts';

afterAll(async () => {
  const left = await chromiumsLeft();
  for (const pid of left) process.kill(pid, 'SIGKILL');
  expect(left, 'Chromium left behind by this file').toEqual([]);
});
