/**
 * Handles worker calls: validates the input, checks the attempt and dispatches to the verb handler.
 */
import type { z } from 'zod';
import { decode } from '../../core/model/decode.ts';
import { LegionError, quoteText } from '../../core/model/fault.ts';
import { describeDuration } from '../../core/model/format.ts';
import type { WorkerIdentity } from '../../core/model/ids.ts';
import { toWorkerId } from '../../core/model/ids.ts';
import { hasEnded, toLifecycleState } from '../../core/model/lifecycle.ts';
import { createKeyedMutex, type KeyedMutex } from '../../lib/async/mutex.ts';
import { unwrap } from '../../lib/result.ts';
import { getVerbModes, VERBS, type VerbInput, type VerbName } from '../../protocol/verb.ts';
import { decideAttemptSpending } from '../context/attempt-spending.ts';
import type { DaemonContext, StateContext } from '../context/daemon-context.ts';
import type { WorkerApi } from '../daemon.ts';
import { requireCurrentAttempt, requireKnownAttempt, requireRunningAttempt } from './attempt-guard.ts';
import { runGateBeforeMerge } from './take-report.ts';
import type { VerbHandler } from './verb-handler.ts';
import { handleDone, handleError, handleStoredDone } from './verbs/done.ts';
import { handleHandoffRead, handleHandoffWrite } from './verbs/handoff.ts';
import { handleMerge } from './verbs/merge.ts';
import { handleAsk, handleComment, handleMessage } from './verbs/message.ts';
import { handleCheckpoint, handleStatus } from './verbs/progress.ts';
import { handlePrEdit, handlePrOpen, handlePrReady, handlePrShow, handlePush } from './verbs/pull-request.ts';
import { handleCi, handleIssue } from './verbs/read.ts';
import { handleSplit } from './verbs/split.ts';
import { handlePlanReview, handleReview, handleVerdict } from './verbs/verdict.ts';

/** Verbs that change nothing, so answering the same message twice is harmless. */
const READ_ONLY_VERBS: readonly VerbName[] = ['issue', 'handoff_read', 'status', 'pr_show', 'ci'];
/**
 * The only verbs a token may use once its attempt is over. `status` tells the worker that the
 * attempt is over; `done` and `error` keep a late report.
 */
const VERBS_AFTER_END: readonly VerbName[] = ['status', 'done', 'error'];
/** Verbs that also work between the request to stop and the end of the process. */
const VERBS_WHILE_STOPPING: readonly VerbName[] = ['checkpoint'];

export function createWorkerApi(context: DaemonContext): WorkerApi {
  const mutex = createKeyedMutex();
  const directHandlers = createVerbHandlers(mutex, 'waits');
  const storedHandlers = createVerbHandlers(mutex, 'kept');
  const firstOnly = createIdempotencyCache();

  async function runVerb<V extends VerbName>(
    verbs: typeof directHandlers,
    who: WorkerIdentity,
    verb: V,
    rawInput: unknown,
  ): Promise<unknown> {
    refuseMode(who, verb);
    const input = parseVerbInput(verb, rawInput);
    // Confirms leadership, because a daemon that no longer leads does not know the newest workers
    // and would permanently refuse their messages.
    if (!READ_ONLY_VERBS.includes(verb)) await context.ledger.confirm();
    const { state } = context.ledger;
    if (VERBS_AFTER_END.includes(verb)) requireKnownAttempt(state, who);
    else if (VERBS_WHILE_STOPPING.includes(verb)) requireRunningAttempt(state, who);
    else requireCurrentAttempt(state, who);
    return withNotice(context, who, await verbs[verb](context, who, input));
  }

  return {
    identify: (token) => context.tokens.read(token),
    async handleVerb(who, verb, input, message, from = 'worker') {
      const run = () => runVerb(from === 'worker' ? directHandlers : storedHandlers, who, verb, input);
      // A status can ask for more time, which a repeated message must not do twice.
      const isRepeatable = READ_ONLY_VERBS.includes(verb) && verb !== 'status';
      if (message === undefined || isRepeatable) return run();
      // The key includes the worker, so that a worker cannot get another worker's answer by reusing
      // that worker's message id.
      return firstOnly([who.issue, who.mode, who.attempt, verb, message].join(' '), run);
    },
  };
}

function refuseMode({ mode }: WorkerIdentity, verb: VerbName): void {
  if (!Object.hasOwn(VERBS, verb)) throw new LegionError('input.invalid', `Unknown verb ${quoteText(verb)}.`);
  const modes = getVerbModes(verb);
  if (modes.includes(mode)) return;
  throw new LegionError(
    'worker.not_for_mode',
    `The verb ${verb} is not available in mode ${mode}. Valid modes: ${modes.join(', ')}.`,
  );
}

function parseVerbInput<V extends VerbName>(verb: V, rawInput: unknown): VerbInput<V> {
  const schema: z.ZodType = VERBS[verb].input;
  return unwrap(decode(schema, rawInput, verb)) as VerbInput<V>;
}

/** Appends the budget notice, if there is one, to the text of the answer. */
function withNotice(context: StateContext, who: WorkerIdentity, answer: unknown): unknown {
  if (!hasMessage(answer)) return answer;
  const notice = findBudgetNotice(context, who);
  return notice === undefined ? answer : { ...answer, says: `${answer.says} ${notice}` };
}

function findBudgetNotice(
  context: StateContext,
  { issue, mode, attempt }: WorkerIdentity,
): string | undefined {
  const worker = context.ledger.state.workers.get(toWorkerId(issue, mode));
  if (worker?.attempt !== attempt || hasEnded(toLifecycleState(worker.facts))) return undefined;
  const { step, why, lookAgainAt } = decideAttemptSpending(context, worker);
  switch (step) {
    case 'ask':
    case 'stop':
      return `${why} ${STOP_NOTICE} you will be stopped soon.`;
    case 'wait':
      return `${why} ${STOP_NOTICE} you will be stopped in ${describeDuration((lookAgainAt ?? 0) - context.clock.now())}.`;
    case 'warn':
      return `${why} ${HURRY_NOTICE}`;
    case 'nothing':
      return worker.warnings.length === 0 ? undefined : `A budget is nearly used up. ${HURRY_NOTICE}`;
  }
}

const STOP_NOTICE = 'Save a checkpoint now, report or ask, and end your turn:';
const HURRY_NOTICE = 'Save a checkpoint and finish soon.';

function hasMessage(answer: unknown): answer is { says: string } {
  return typeof answer === 'object' && answer !== null && 'says' in answer && typeof answer.says === 'string';
}

/**
 * Maximum number of answers kept. Retries of a message arrive within seconds, and a few hundred
 * workers send only a few messages in that time.
 */
const MAX_KEPT_ANSWERS = 1_000;

type IdempotencyCache = <T>(message: string, run: () => Promise<T>) => Promise<T>;

/**
 * Returns the first answer for a repeated message. Failed calls may be retried. The cache is lost
 * on a restart, so each verb is also idempotent by itself as far as possible.
 */
function createIdempotencyCache(): IdempotencyCache {
  const answers = new Map<string, Promise<unknown>>();
  return <T>(message: string, run: () => Promise<T>): Promise<T> => {
    const known = answers.get(message);
    // The verb is part of the key, so the answer has the type of this call.
    if (known !== undefined) return known as Promise<T>;
    const answer = run();
    answers.set(message, answer);
    answer.catch(() => answers.delete(message));
    for (const oldest of answers.keys()) {
      if (answers.size <= MAX_KEPT_ANSWERS) break;
      answers.delete(oldest);
    }
    return answer;
  };
}

/**
 * `turn` runs splits of one issue one after another. `waits` says whether the caller is waiting for
 * the answer.
 */
function createVerbHandlers(
  mutex: KeyedMutex,
  waits: 'waits' | 'kept',
): { readonly [V in VerbName]: VerbHandler<V> } {
  return {
    issue: handleIssue,
    done: waits === 'waits' ? handleDone : handleStoredDone,
    error: handleError,
    ask: handleAsk,
    checkpoint: handleCheckpoint,
    handoff_read: handleHandoffRead,
    handoff_write: handleHandoffWrite,
    comment: handleComment,
    split: (context, who, input) => mutex(`split ${who.issue}`, () => handleSplit(context, who, input)),
    push: handlePush,
    pr_open: handlePrOpen,
    pr_edit: handlePrEdit,
    pr_show: handlePrShow,
    pr_ready: handlePrReady,
    ci: handleCi,
    verdict: handleVerdict,
    review: handleReview,
    plan_review: handlePlanReview,
    merge: async (context, who, input) => {
      // Runs before this merge waits for its turn, because a slow gate must not block the other
      // merges of the repository.
      await runGateBeforeMerge(context, who);
      const { path } = context.repositories.require(who.issue);
      return context.merges.runExclusive(path, () => handleMerge(context, who, input));
    },
    message: handleMessage,
    status: handleStatus,
  };
}
