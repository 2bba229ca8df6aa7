/** Says what is due for issues that are posted: as they were posted where the tracker can read that, else as they are found when they are read anew. */

import { z } from 'zod';
import { decode } from '../../../domain/decode.ts';
import { unwrap } from '../../../lib/result.ts';
import { backendSchema, collectRequest, type PostedAnswer } from '../../../protocol/board-state.ts';
import type { World } from '../../world.ts';
import { evaluateBoard, evaluatePosted } from '../evaluate-issues.ts';
import { collected, refuseOtherBoard } from './collect.ts';
import { namedIssues } from './named-issues.ts';

/** Nothing is written or started by it, whatever is posted. */
export async function collectPosted(world: World, posted: unknown): Promise<PostedAnswer> {
  const { tracker } = world;
  refuseOtherBoard(world, backendIn(posted));
  if (tracker.posted !== undefined) {
    const { issues, rejected } = unwrap(tracker.posted(posted));
    return { ...collected(world, evaluatePosted(world, issues)), rejected: [...rejected] };
  }
  const { issues } = unwrap(decode(collectRequest, posted, 'body'));
  const all = await evaluateBoard(world);
  const { ids, rejected } = unwrap(
    namedIssues(
      issues,
      all.map(({ seen }) => seen.issue),
    ),
  );
  const named = all.filter(({ seen }) => ids.has(seen.issue.id));
  return { ...collected(world, named), rejected: [...rejected] };
}

const withBackend = z.object({ backend: backendSchema.optional() });

/** Answers of a service do not name it; whoever wraps them may. */
function backendIn(posted: unknown) {
  if (typeof posted !== 'object' || posted === null || Array.isArray(posted)) return undefined;
  return unwrap(decode(withBackend, posted, 'body')).backend;
}
