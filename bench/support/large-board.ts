/**
 * Builds a local board of thousands of issues waiting for a worker slot, with a few workers that
 * never finish.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeStateFolder } from '../../src/daemon/composition/open-state-folder.ts';
import { openLocalBoard } from '../../src/integrations/local/tracker/open-local-board.ts';
import { type BenchLegion, createBenchLegion } from './legion.ts';

const WORKERS = 5;
/** Long, so that no pass over the whole board happens during a measurement. */
const POLL = '10m';

/** The maximum think time of a scripted worker. Longer than any benchmark. */
const THINK = '1h';

export function createLargeBoardLegion(): BenchLegion {
  const yaml = (scenario: string) => `legion: bench
port: 0
agents: { default: { agent: scripted, model: ${scenario} } }
scripted: allowed
limits: { workers: ${WORKERS} }
polling: { interval: ${POLL} }
dispatch: { stagger: 0s }
`;
  const legion = createBenchLegion({ commands: true });
  const scenario = join(legion.folder, 'scenario.json');
  writeFileSync(scenario, JSON.stringify({ rules: [{ steps: [{ think: THINK }] }] }));
  writeFileSync(join(legion.repository, 'legion.yaml'), yaml(scenario));
  return legion;
}

/** Creates the issues after number `from`, up to number `to`. Call before the daemon starts. */
export async function createBoardIssues({ state }: BenchLegion, from: number, to: number): Promise<void> {
  makeStateFolder(state);
  const board = await openLocalBoard(join(state, 'board.db'), { prefix: 'BENCH', now: Date.now });
  try {
    for (let number = from + 1; number <= to; number += 1) {
      await board.create(`key ${number}`, {
        title: `An issue with several words in its title, number ${number}`,
        body: 'What has to be done, in some sentences that people have written. '.repeat(8),
        status: 'Todo',
        priority: 0,
        labels: ['chore'],
        blockedBy: [],
      });
    }
  } finally {
    await board.dispose();
  }
}
