/** Starts a simulated Linear for each test of a file. */
import { afterEach, beforeEach } from 'vitest';
import { type Simulated, simulated } from './simulated.ts';

export function useSimulated(): () => Simulated {
  let stage: Simulated | undefined;
  beforeEach(async () => {
    stage = await simulated();
  });
  afterEach(() => stage?.close());
  return () => {
    if (stage === undefined) throw new Error('no test is running');
    return stage;
  };
}
