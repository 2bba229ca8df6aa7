/** Shows that something leaves an issue as it is. */
import { expect } from 'vitest';
import type { IssueId } from '../../../src/core/model/ids.ts';
import type { Tracker } from '../../../src/ports/tracker.ts';
import { comments, look } from './issues.ts';

/** Nothing about the issue, nor any comment on it, is different after `work`. */
export async function unchanged(
  tracker: Tracker,
  issue: IssueId,
  work: () => Promise<unknown>,
): Promise<void> {
  const state = async () => [await look(tracker, issue), await comments(tracker, issue)];
  const before = await state();
  await work();
  expect(await state()).toEqual(before);
}
