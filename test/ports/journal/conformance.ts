/** The suite every journal passes: each line of the port's contract as statements that can fail. */
import { afterEach, beforeEach, describe } from 'vitest';
import { appending } from './conformance/appending.ts';
import { closing } from './conformance/closing.ts';
import { fencing } from './conformance/fencing.ts';
import { hinting } from './conformance/hinting.ts';
import type { JournalHarness } from './conformance/journal-under-test.ts';
import { keeping } from './conformance/keeping.ts';
import { reading } from './conformance/reading.ts';
import { snapshots } from './conformance/snapshots.ts';

/** `make` gives each test a harness of its own, which is disposed of after it. */
export function journalConformance(name: string, make: () => JournalHarness): void {
  describe(`${name} journal`, () => {
    let harness: JournalHarness;
    beforeEach(() => {
      harness = make();
    });
    afterEach(() => harness.dispose());

    for (const part of [appending, fencing, keeping, reading, snapshots, hinting, closing]) {
      part(() => harness);
    }
  });
}
