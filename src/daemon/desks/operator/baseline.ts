/** An operator’s word on the baseline: run it again, or start workers although it is bad. */
import type { BaselineRequest } from '../../../protocol/baseline.ts';
import type { Said } from '../../../protocol/operator.ts';
import type { World } from '../../world.ts';

export async function changeBaseline({ preflight }: World, { action, by }: BaselineRequest): Promise<Said> {
  if (action === 'rerun') {
    preflight.rerunBaselines();
    return { says: 'The baseline runs again; no worker starts before its result.' };
  }
  const ignored = await preflight.ignoreBaselines(by);
  if (ignored.length === 0) return { says: 'No baseline is red: there is nothing to ignore.' };
  return {
    says: `A red baseline of ${ignored.join(', ')} holds no worker, until it passes or the commands change.`,
  };
}
