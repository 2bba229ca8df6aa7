/** What happens next with an issue, in a sentence. Pure. */
import { actionInWords } from '../../../../../src/domain/action-in-words.ts';
import type { Explanation } from '../../../../../src/protocol/operator.ts';
import type { Offer } from '../actions/offers.ts';

interface NextStepOptions {
  /** What the button beside the sentence does. */
  readonly end: Offer | undefined;
  readonly isAutomatic: boolean;
}

export function nextStep(
  { suggestedAction, until }: Explanation['state'],
  { end, isAutomatic }: NextStepOptions,
): string | undefined {
  if (end?.deed === 'mergeRevert')
    return 'It was rolled back: the base branch contains the change until the revert is merged. An approval then lets the work begin again.';
  if (suggestedAction !== 'skip') {
    const step = actionInWords(suggestedAction);
    return isAutomatic
      ? `Next, Legion will ${step}.`
      : `Legion would ${step}, and waits for you because auto-advance is off.`;
  }
  switch (until.by) {
    case 'person':
      return end !== undefined ? undefined : `Waits until ${until.what}.`;
    case 'nothing_more':
      return 'Nothing more happens by itself.';
    default:
      return `Legion continues by itself when ${until.what}.`;
  }
}
