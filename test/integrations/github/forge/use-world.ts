/** Provides a simulated GitHub for each test of a file. */
import { afterEach, beforeEach } from 'vitest';
import { type Accounts, type World, world } from './world.ts';

export function useWorld(accounts: Accounts): () => World {
  let present: World | undefined;
  beforeEach(() => {
    present = world(accounts);
  });
  afterEach(() => present?.dispose());
  return () => {
    if (present === undefined) throw new Error('no test is running');
    return present;
  };
}
