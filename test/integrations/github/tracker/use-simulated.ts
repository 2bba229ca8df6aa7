/** Starts a simulated GitHub for each test of a file. */
import { afterEach, beforeEach } from 'vitest';
import { type Simulated, simulated } from './simulated.ts';

export function useSimulated(beginning?: number): () => Simulated {
  let stage: Simulated | undefined;
  beforeEach(async () => {
    stage = await simulated(beginning);
  });
  afterEach(() => stage?.close());
  return () => {
    if (stage === undefined) throw new Error('no test is running');
    return stage;
  };
}
