/**
 * Tests that a worker's environment contains only the variables passed to it, plus the allowed
 * variables of the daemon.
 */
import { describe, expect, test } from 'vitest';
import { exitOf, order, readAll } from '../workers.ts';
import { CANARY, type Present } from './host-under-test.ts';

export function environment(present: Present): void {
  describe('environment', () => {
    test('contains the passed variables and the daemon’s allowed variables, but none of the daemon’s secrets', async () => {
      const { open, workspace } = present();
      const host = await open();
      const worker = order(workspace, 'tr "\\0" "\\n" <"/proc/$$/environ"', {
        env: { ROLE_TOKEN: 'given $HOME "quoted" \\n', TZ: 'Antarctica/Troll' },
      });
      await exitOf(host, await host.start(worker));
      const text = await readAll(host, worker);
      expect(text).not.toContain(CANARY.value);
      expect(text).not.toContain(CANARY.name);
      const lines = text.split('\n');
      expect(lines).toContain('ROLE_TOKEN=given $HOME "quoted" \\n');
      expect(lines).toContain('TZ=Antarctica/Troll');
      expect(lines.find((line) => line.startsWith('PATH='))).toBeDefined();
      expect(text).not.toContain('legion_');
      expect(text).not.toContain('VITEST');
    });
  });
}
