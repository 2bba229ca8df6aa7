/** A local board of thousands of issues that wait for a place, with a few workers that never end. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeStateFolder } from '../../src/daemon/composition/open-state-folder.ts';
import { openLocalBoard } from '../../src/trackers/local/open-local-board.ts';
import { type BenchLegion, benchLegion } from './legion.ts';

const WORKERS = 5;
/** Far apart: a look at the whole board must not fall into what is measured. */
const POLL = '10m';

/** The longest a scripted worker may think, and longer than any benchmark. */
const THINK = '1h';

export function largeBoardLegion(): BenchLegion {
  const yaml = (scenario: string) => `legion: bench
port: 0
agents: { default: { agent: scripted, model: ${scenario} } }
scripted: allowed
limits: { workers: ${WORKERS} }
polling: { interval: ${POLL} }
dispatch: { stagger: 0s }
`;
  const legion = benchLegion({ commands: true });
  const scenario = join(legion.folder, 'scenario.json');
  writeFileSync(scenario, JSON.stringify({ rules: [{ steps: [{ think: THINK }] }] }));
  writeFileSync(join(legion.repository, 'legion.yaml'), yaml(scenario));
  return legion;
}

/** Before the daemon starts; `from` issues are there already. */
export async function fillBoard({ state }: BenchLegion, from: number, to: number): Promise<void> {
  makeStateFolder(state);
  const board = await openLocalBoard(join(state, 'board.db'), { prefix: 'BENCH', now: Date.now });
  try {
    for (let number = from + 1; number <= to; number += 1) {
      await board.create(`key ${number}`, {
        title: `An issue with some words in its title, number ${number}`,
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
