/** Every verb and the file that carries it out. */

import type { KeyedMutex } from '../../lib/async/mutex.ts';
import type { VerbName } from '../../protocol/verb.ts';
import { runGateBeforeMerge } from './await-gate.ts';
import type { Saying } from './saying.ts';
import { ask } from './verbs/ask.ts';
import { checkpoint } from './verbs/checkpoint.ts';
import { ci } from './verbs/ci.ts';
import { comment } from './verbs/comment.ts';
import { done, keptDone } from './verbs/done.ts';
import { error } from './verbs/error.ts';
import { handoffRead } from './verbs/handoff-read.ts';
import { handoffWrite } from './verbs/handoff-write.ts';
import { issue } from './verbs/issue.ts';
import { merge } from './verbs/merge.ts';
import { message } from './verbs/message.ts';
import { planReview } from './verbs/plan-review.ts';
import { prEdit } from './verbs/pr-edit.ts';
import { prOpen } from './verbs/pr-open.ts';
import { prReady } from './verbs/pr-ready.ts';
import { prShow } from './verbs/pr-show.ts';
import { push } from './verbs/push.ts';
import { review } from './verbs/review.ts';
import { split } from './verbs/split.ts';
import { status } from './verbs/status.ts';
import { verdict } from './verbs/verdict.ts';

/** `turn` serialises splits of one issue; `waits`: whether somebody waits for the answer. */
export function sayings(turn: KeyedMutex, waits: 'waits' | 'kept'): { readonly [V in VerbName]: Saying<V> } {
  return {
    issue,
    done: waits === 'waits' ? done : keptDone,
    error,
    ask,
    checkpoint,
    handoff_read: handoffRead,
    handoff_write: handoffWrite,
    comment,
    split: (world, who, input) => turn(`split ${who.issue}`, () => split(world, who, input)),
    push,
    pr_open: prOpen,
    pr_edit: prEdit,
    pr_show: prShow,
    pr_ready: prReady,
    ci,
    verdict,
    review,
    plan_review: planReview,
    merge: async (world, who, input) => {
      // Before its turn: a slow gate must not hold up the other merges of the repository.
      await runGateBeforeMerge(world, who);
      const { path } = world.repositories.of(who.issue);
      return world.merges.oneAtATime(path, () => merge(world, who, input));
    },
    message,
    status,
  };
}
