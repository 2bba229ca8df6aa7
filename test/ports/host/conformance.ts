/** Conformance suite for hosts: tests each line of the port's contract with real processes. */
import { afterEach, beforeEach, describe } from 'vitest';
import { adopting } from './conformance/adopting.ts';
import { delivering } from './conformance/delivering.ts';
import { environment } from './conformance/environment.ts';
import { forgetting } from './conformance/forgetting.ts';
import type { HostHarness } from './conformance/host-under-test.ts';
import { observing } from './conformance/observing.ts';
import { outliving } from './conformance/outliving.ts';
import { output } from './conformance/output.ts';
import { signalling } from './conformance/signalling.ts';
import { starting } from './conformance/starting.ts';
import { watching } from './conformance/watching.ts';

/** `make` creates a harness for each test, which is disposed of afterwards. */
export function hostConformance(name: string, make: () => Promise<HostHarness>): void {
  describe(`${name} host`, () => {
    let harness: HostHarness;
    beforeEach(async () => {
      harness = await make();
    });
    afterEach(() => harness.dispose());

    for (const part of [
      starting,
      outliving,
      adopting,
      observing,
      output,
      watching,
      delivering,
      signalling,
      forgetting,
      environment,
    ]) {
      part(() => harness);
    }
  });
}
