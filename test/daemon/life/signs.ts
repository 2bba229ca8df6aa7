/** How a test tells workers to go on: a file whose name they wait for. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestLegion } from '../../support/running-daemon.ts';

/** The longest a test keeps a worker waiting; nobody whose test has died waits longer. */
const WAIT_MOST = '600s';

/** A workspace lies five folders deep. */
const UP = '../../../../..';

/** A step that ends when the word is given. */
export function waitForWord(word: string): object {
  return {
    run: { argv: ['sh', '-c', `until [ -f ${UP}/${word} ]; do sleep 0.1; done`], timeout: WAIT_MOST },
  };
}

export function giveWord({ folder }: TestLegion, word: string): void {
  writeFileSync(join(folder, word), '');
}
