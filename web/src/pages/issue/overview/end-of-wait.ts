/** The one action that ends what an issue waits for. Pure. */
import type { Explanation } from '../../../../../src/protocol/operator.ts';
import type { Offer } from '../actions/available-actions.ts';

type DeedName = Offer['deed'];

/** By the reason of the decision; the rest ends by itself, or outside of this page. */
const DEEDS: Readonly<Record<string, DeedName>> = {
  waits_for_answer: 'answer',
  waits_for_approval: 'approve',
  revert_open: 'mergeRevert',
  paused: 'resume',
  halted: 'resume_legion',
  legion_paused: 'resume_legion',
  breaker_open: 'resume_legion',
  unclarified: 'edit',
  parked: 'move',
  unknown_status: 'move',
};

/** An approval lets the work begin again, which makes sense only once the revert is merged. */
const BEFORE_APPROVAL: DeedName = 'mergeRevert';

/** Somebody waits for these, whatever was decided last: labels change before the next decision. */
const URGENT: readonly DeedName[] = ['answer', 'approve', 'resume'];

export function endOfWait(
  offers: readonly Offer[],
  state: Explanation['state'] | undefined,
  isAutomatic: boolean,
): Offer | undefined {
  const wanted = state && DEEDS[state.reason];
  const byReason =
    (wanted === 'approve' ? offers.find(({ deed }) => deed === BEFORE_APPROVAL) : undefined) ??
    offers.find(({ deed }) => deed === wanted);
  const urgent = offers.find(
    ({ deed, worker }) => URGENT.includes(deed) || (deed === 'reset' && worker?.status === 'paused'),
  );
  const isDue = !isAutomatic && state !== undefined && state.suggestedAction !== 'skip';
  return byReason ?? urgent ?? (isDue ? offers.find(({ deed }) => deed === 'advance') : undefined);
}
