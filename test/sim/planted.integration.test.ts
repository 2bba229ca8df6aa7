import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const PLANTED = join(ROOT, 'planted');
const names = readdirSync(PLANTED);

/**
 * Checks only that each patch applies. `npm run planted` checks that tests detect each defect,
 * which takes minutes.
 */
test.each(names)('the planted defect %s still applies as a patch and has a description', (name) => {
  const [says, foundBy] = readFileSync(join(PLANTED, name), 'utf8').split('\n');
  expect(says).toMatch(/^[A-Z].+\.$/);
  expect(foundBy).toMatch(/^Found by: (?:the simulator|test\/.+)$/);
  const apply = () =>
    execFileSync('git', ['apply', '--check', join(PLANTED, name)], { cwd: ROOT, stdio: 'pipe' });
  expect(apply).not.toThrow();
});

test('there are at least twenty planted defects', () => {
  expect(names.length).toBeGreaterThanOrEqual(20);
});
