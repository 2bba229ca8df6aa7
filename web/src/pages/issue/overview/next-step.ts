/** What happens next with an issue, in a sentence. Pure. */
import { actionInWords } from '../../../../../src/domain/action-in-words.ts';
import type { Explanation } from '../../../../../src/protocol/operator.ts';

interface NextStepOptions {
  /** A button beside the sentence ends the wait. */
  readonly hasButton: boolean;
  readonly isAutomatic: boolean;
}

export function nextStep(
  { suggestedAction, until }: Explanation['state'],
  { hasButton, isAutomatic }: NextStepOptions,
): string | undefined {
  if (suggestedAction !== 'skip') {
    const step = actionInWords(suggestedAction);
    return isAutomatic
      ? `Next, Legion will ${step}.`
      : `Legion would ${step}, and waits for you because auto-advance is off.`;
  }
  switch (until.by) {
    case 'person':
      return hasButton ? undefined : `Waits until ${until.what}.`;
    case 'nothing_more':
      return 'Nothing more happens by itself.';
    default:
      return `Legion continues by itself when ${until.what}.`;
  }
}
