/**
 * Tests that a closed forge rejects every call, that it can be closed twice, and that an aborted
 * read is retryable.
 */
import { describe, expect, test } from 'vitest';
import { LegionError } from '../../../../src/core/model/fault.ts';
import { refusal } from '../refusal.ts';
import { NEVER, type Present, pullRequest } from './forge-under-test.ts';

export function closing(present: Present): void {
  describe('calls', () => {
    test('reject after the forge was closed, even if it was closed twice', async () => {
      const forge = await present().fresh();
      const { number } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      await forge.close();
      await forge.close();
      const calls = [
        () => forge.pullRequests(['eng-1'], NEVER),
        () => forge.changesSince([], { headSha: 'x', baseSha: 'y' }, NEVER),
        () => forge.checks('x', NEVER),
        () => forge.checkLog('x', { name: 'unit', status: 'failing' }, NEVER),
        () => forge.failingCheck('x', NEVER),
        () => forge.findChecks(NEVER),
        () => forge.remarks(number, NEVER),
        () => forge.push('eng-1', present().hand.workspace('eng-1')),
        () => forge.comment(number, 'k', 't'),
        () => forge.abandon(number),
      ];
      for (const call of calls) expect(await refusal(call())).toMatchObject({ code: 'forge.closed' });
      expect(() => forge.subscribe(() => {})).toThrow(LegionError);
    });

    test('reject with a retryable error if their signal was aborted', async () => {
      const forge = await present().fresh();
      await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      const call = forge.pullRequests(['eng-1'], AbortSignal.abort());
      expect(await refusal(call)).toMatchObject({ retryable: true });
    });
  });
}
