/** A harness of its own for each test of a file. */
import { afterEach, beforeEach } from 'vitest';
import { type LocalHarness, localHarness } from './host-setup.ts';

/** The result gives the harness of the running test; it is disposed of after it. */
export function useHarness(): () => LocalHarness {
  let harness: LocalHarness | undefined;
  beforeEach(async () => {
    harness = await localHarness();
  });
  afterEach(() => harness?.dispose());
  return () => {
    if (harness === undefined) throw new Error('no test is running');
    return harness;
  };
}
