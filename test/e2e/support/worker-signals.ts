/** Lets a test signal workers to continue: they wait for a file with a given name. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestLegion } from '../../support/running-daemon.ts';

/** Maximum time for which a worker waits, so that it ends even if the test has died. */
const MAX_WAIT = '600s';

/** A workspace is five directories deep. */
const PATH_TO_FOLDER = '../../../../..';

/** A step that ends once `sendSignal` has been called with this name. */
export function waitForSignal(name: string): object {
  return {
    run: {
      argv: ['sh', '-c', `until [ -f ${PATH_TO_FOLDER}/${name} ]; do sleep 0.1; done`],
      timeout: MAX_WAIT,
    },
  };
}

export function sendSignal({ folder }: TestLegion, name: string): void {
  writeFileSync(join(folder, name), '');
}
