/** What takes labels from an issue or a pull request and puts others on it. */
import { type Step, step } from './in-one-request.ts';

/** A label as GitHub's answers have it. */
export interface LabelAnswer {
  readonly id: string;
  readonly name: string;
}

/** By GitHub's ids; nothing where there is nothing to change. */
export function labelSteps(
  labelableId: string,
  taken: readonly string[],
  put: readonly string[],
): readonly Step[] {
  return [
    ...(taken.length === 0 ? [] : [step('removeLabelsFromLabelable', { labelableId, labelIds: taken })]),
    ...(put.length === 0 ? [] : [step('addLabelsToLabelable', { labelableId, labelIds: put })]),
  ];
}

/** Names of labels are the same however they are capitalised. */
export function labelKey(name: string): string {
  return name.toLowerCase();
}
