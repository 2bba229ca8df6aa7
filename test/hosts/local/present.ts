/** Provides a harness for each test of a file. */
import { afterEach, beforeEach } from 'vitest';
import { type LocalHarness, localHarness } from './host-setup.ts';

/** Returns a getter for the running test's harness, which is disposed of afterwards. */
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
