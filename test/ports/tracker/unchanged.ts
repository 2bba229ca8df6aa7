/** Checks that an operation leaves an issue unchanged. */
import { expect } from 'vitest';
import type { IssueId } from '../../../src/core/model/ids.ts';
import type { Tracker } from '../../../src/ports/tracker.ts';
import { comments, look } from './issues.ts';

/** Fails if anything about the issue or its comments differs after `work`. */
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
