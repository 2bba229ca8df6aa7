/** What the daemon does when a worker speaks: checks the words, asks the fence, and hands over to the verb's own file. */
import type { z } from 'zod';
import { LegionError, shown } from '../../core/model/fault.ts';
import { workerId } from '../../core/model/ids.ts';
import { decode } from '../../domain/decode.ts';
import { hasEnded, lifecycleOf } from '../../domain/lifecycle.ts';
import { inWords } from '../../health/words.ts';
import type { KeyedMutex } from '../../lib/async/mutex.ts';
import { createKeyedMutex } from '../../lib/async/mutex.ts';
import { unwrap } from '../../lib/result.ts';
import { modesOf, VERBS, type VerbInput, type VerbName } from '../../protocol/verb.ts';
import type { Speech, WorkerIdentity } from '../daemon.ts';
import { spendingStep } from '../supervise/spending-step.ts';
import type { World } from '../world.ts';
import { runGateBeforeMerge } from './await-gate.ts';
import { knownWorker, presentWorker } from './fence.ts';
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

/** They change nothing: a second answer to the same message does no harm. */
const READ_ONLY: readonly VerbName[] = ['issue', 'handoff_read', 'status', 'pr_show', 'ci'];
/** All that a token is good for once its attempt is over: it is told so, and a late report is kept. */
const AFTER_THE_END: readonly VerbName[] = ['status', 'done', 'error'];

export function openSpeech(world: World): Speech {
  const turn = createKeyedMutex();
  const said = sayings(turn, 'waits');
  const kept = sayings(turn, 'kept');
  const firstOnly = once();

  async function carryOut<V extends VerbName>(
    verbs: typeof said,
    who: WorkerIdentity,
    verb: V,
    given: unknown,
  ): Promise<unknown> {
    refuseMode(who, verb);
    const input = read(verb, given);
    // Who no longer leads does not know the newest workers, and would turn them away for good.
    if (!READ_ONLY.includes(verb)) await world.ledger.confirm();
    const { swarm } = world.ledger;
    if (AFTER_THE_END.includes(verb)) knownWorker(swarm, who);
    else presentWorker(swarm, who);
    return withNotice(world, who, await verbs[verb](world, who, input));
  }

  return {
    identify: (token) => world.tokens.read(token),
    async say(who, verb, input, message, from = 'worker') {
      const work = () => carryOut(from === 'worker' ? said : kept, who, verb, input);
      if (message === undefined || READ_ONLY.includes(verb)) return work();
      // Whose it is belongs to the key: nobody gets another's answer by naming its message.
      return firstOnly([who.issue, who.mode, who.attempt, verb, message].join(' '), work);
    },
  };
}

function refuseMode({ mode }: WorkerIdentity, verb: VerbName): void {
  if (!Object.hasOwn(VERBS, verb)) throw new LegionError('input.invalid', `there is no verb ${shown(verb)}`);
  const modes = modesOf(verb);
  if (modes.includes(mode)) return;
  throw new LegionError('worker.not_for_mode', `${verb} is for ${modes.join(' and ')}, not for ${mode}`);
}

function read<V extends VerbName>(verb: V, given: unknown): VerbInput<V> {
  const schema: z.ZodType = VERBS[verb].input;
  return unwrap(decode(schema, given, verb)) as VerbInput<V>;
}

/** The answer with the notice at the end of what it says; as it is where there is nothing to say. */
function withNotice(world: World, who: WorkerIdentity, answer: unknown): unknown {
  if (!hasWords(answer)) return answer;
  const notice = noticeFor(world, who);
  return notice === undefined ? answer : { ...answer, says: `${answer.says} ${notice}` };
}

function noticeFor(world: World, { issue, mode, attempt }: WorkerIdentity): string | undefined {
  const worker = world.ledger.swarm.workers.get(workerId(issue, mode));
  if (worker?.attempt !== attempt || hasEnded(lifecycleOf(worker.facts))) return undefined;
  const { step, why, lookAgainAt } = spendingStep(world, worker);
  switch (step) {
    case 'ask':
    case 'stop':
      return `${why} ${STOP} you will be stopped soon.`;
    case 'wait':
      return `${why} ${STOP} you will be stopped in ${inWords((lookAgainAt ?? 0) - world.clock.now())}.`;
    case 'warn':
      return `${why} ${HURRY}`;
    case 'nothing':
      return worker.warnings.length === 0 ? undefined : `A budget is nearly used up. ${HURRY}`;
  }
}

const STOP = 'Save a checkpoint now, report or ask, and end your turn:';
const HURRY = 'Save a checkpoint and come to an end.';

function hasWords(answer: unknown): answer is { says: string } {
  return typeof answer === 'object' && answer !== null && 'says' in answer && typeof answer.says === 'string';
}

/** Answers kept. Tries of one message are seconds apart, and a few hundred workers say a few things in that time. */
const KEPT_MOST = 1_000;

type Once = <T>(message: string, work: () => Promise<T>) => Promise<T>;

/** What failed may be tried again. After a restart each verb is idempotent by itself, as far as it can be. */
function once(): Once {
  const answers = new Map<string, Promise<unknown>>();
  return <T>(message: string, work: () => Promise<T>): Promise<T> => {
    const known = answers.get(message);
    // Only ever called with the same verb for the same message, which is part of the key.
    if (known !== undefined) return known as Promise<T>;
    const answer = work();
    answers.set(message, answer);
    answer.catch(() => answers.delete(message));
    for (const oldest of answers.keys()) {
      if (answers.size <= KEPT_MOST) break;
      answers.delete(oldest);
    }
    return answer;
  };
}

/** `turn` serialises splits of one issue; `waits`: whether somebody waits for the answer. */
function sayings(turn: KeyedMutex, waits: 'waits' | 'kept'): { readonly [V in VerbName]: Saying<V> } {
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
