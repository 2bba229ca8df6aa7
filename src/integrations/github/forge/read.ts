/**
 * Reads pull requests by branch: a digest of all known ones, and in full only those that have
 * changed.
 */

import { decode } from '../../../core/model/decode.ts';
import { readIsolated } from '../../../lib/read-isolated.ts';
import type { ForgePullRequest } from '../../../ports/forge.ts';
import { isBranchName } from '../../forge-support/clean-text.ts';
import { throwUnavailable } from '../client/answer-fault.ts';
import { isSettled } from '../client/time.ts';
import type { PullRequestsByIdQuery } from '../generated/forge.ts';
import { type FullPullRequest, fullAnswer, type LightPullRequest } from './answer-schemas.ts';
import { askByBranch, type FoundPullRequest, type PullRequestsBatch } from './ask-by-branch.ts';
import { findMissingChecks } from './checks.ts';
import type { GithubForgeContext } from './context.ts';
import { BY_ID, PAGE } from './documents.ts';
import { createBatchSize, type PullRequestDetail, readLastingPullRequest } from './full-answers.ts';
import { type LastingPullRequest, toPullRequest } from './pull-request.ts';

/** Interval between full reads, which find changes that a digest misses. */
const FULL_READ_INTERVAL_MS = 30 * 60_000;

type PullRequestMap = ReadonlyMap<string, ForgePullRequest | 'unknown'>;

export interface PullRequestReader {
  /** Returns why the last read failed for this branch, if the reason concerns only this branch. */
  whyUnknown(branch: string): string | undefined;
  read(branches: readonly string[], signal: AbortSignal): Promise<PullRequestMap>;
  /**
   * Drops cached data after a write or a hint, because a digest might not show the change. Returns
   * all affected branches: a pull request found through its issue may have a different branch name.
   */
  forget(branch: string): readonly string[];
}

/** Cached state of a branch. `last` is `none` if the branch had no pull request. */
interface RememberedPullRequest {
  readonly readAt: number;
  readonly isLinked: boolean;
  readonly last: { readonly fingerprint: string; readonly lasting: LastingPullRequest } | 'none';
}

export function openPullRequestReader(context: GithubForgeContext): PullRequestReader {
  const known = new Map<string, RememberedPullRequest>();
  const forgotten = new Map<string, number>();
  const whyUnknown = new Map<string, string>();
  const size = createBatchSize();
  let required = true; // Whether any checks are required. Until that is known, check names are requested.

  function isFresh(branch: string): boolean {
    const { readAt } = known.get(branch) ?? {};
    const age = readAt === undefined ? FULL_READ_INTERVAL_MS : context.clock.now() - readAt;
    return age >= 0 && age < FULL_READ_INTERVAL_MS;
  }

  /**
   * Drops branches that are no longer requested, because the cached texts of their pull requests
   * are long.
   */
  function prune(): void {
    const oldest = context.clock.now() - 2 * FULL_READ_INTERVAL_MS;
    for (const [branch, { readAt }] of known) if (readAt < oldest) known.delete(branch);
  }

  function requestBatch(kind: PullRequestDetail, branches: readonly string[], signal: AbortSignal) {
    // A digest searches by issue only for branches that had no pull request of their own.
    const isFoundByIssue = (branch: string) => {
      const { last, isLinked } = known.get(branch) ?? { last: 'none', isLinked: false };
      return kind === 'Full' || last === 'none' || isLinked;
    };
    return askByBranch(context, { kind, size, branches, byIssue: isFoundByIssue, names: required }, signal);
  }

  async function read(branches: readonly string[], signal: AbortSignal): Promise<PullRequestMap> {
    const names = [...new Set(branches.filter(isBranchName))];
    prune();
    const before = new Map(names.map((name) => [name, forgotten.get(name)]));
    // Takes a snapshot of the cache. An entry that is dropped while GitHub prepares its response is
    // still valid for this response.
    const entries = new Map(names.map((name) => [name, known.get(name)]));
    const fullReads = await requestBatch(
      'Full',
      names.filter((name) => !isFresh(name)),
      signal,
    );
    const digestReads = await requestBatch('Light', names.filter(isFresh), signal);
    const answers = [...fullReads.answers, ...digestReads.answers];
    const full = await readInFull(listChangedIds(answers, entries), signal);
    const result = new Map<string, ForgePullRequest | 'unknown'>();
    for (const name of names) whyUnknown.delete(name);
    for (const [branch, why] of [...fullReads.refused, ...digestReads.refused]) {
      result.set(branch, 'unknown');
      known.delete(branch);
      whyUnknown.set(branch, why);
    }
    for (const batch of answers) {
      required = batch.required.length > 0;
      for (const [branch, match] of batch.found) {
        const last = typeof match === 'string' ? undefined : findCached(entries.get(branch), match);
        const resolved = await resolve(branch, match, last, batch, full, signal);
        if (resolved !== 'none') result.set(branch, resolved === 'unknown' ? resolved : resolved.pullRequest);
        const isOurs = !batch.partial.has(branch) && forgotten.get(branch) === before.get(branch);
        if (resolved === 'unknown' || !isOurs) known.delete(branch);
        else if (resolved === 'none' || isFullOf(match, full.answers))
          known.set(branch, toRemembered(branch, resolved));
      }
    }
    return result;
  }

  /** Returns the ids of pull requests that are not cached or whose digest shows a change. */
  function listChangedIds(
    answers: readonly PullRequestsBatch[],
    entries: RememberedByBranch,
  ): readonly string[] {
    return answers.flatMap(({ found }) =>
      [...found].flatMap(([branch, each]) =>
        typeof each === 'string' || isFull(each) || findCached(entries.get(branch), each) !== undefined
          ? []
          : [each.id],
      ),
    );
  }

  function findCached(
    entry: RememberedPullRequest | undefined,
    light: LightPullRequest,
  ): LastingPullRequest | undefined {
    if (entry === undefined || entry.last === 'none') return undefined;
    // Data read shortly after its last change is read again, because a further change may have the
    // same timestamp.
    const isKnown = isSettled(light.updatedAt, entry.readAt);
    return isKnown && entry.last.fingerprint === computeFingerprint(light) ? entry.last.lasting : undefined;
  }

  async function readInFull(ids: readonly string[], signal: AbortSignal): Promise<FullReadResult> {
    const answers = new Map<string, FullPullRequest>();
    const refused = new Map<string, string>();
    await readIsolated({
      items: ids,
      batch: size.of('Full'),
      read: async (batch) => {
        const variables = { ids: batch, contexts: required ? PAGE : 1 };
        const { data, refusals } = await context.client.queryPartially<PullRequestsByIdQuery>(
          BY_ID,
          variables,
          {
            signal,
          },
        );
        throwUnavailable(refusals);
        for (const [index, id] of batch.entries()) {
          const node = data.nodes[index];
          const refusal = refusals.find(({ path, code }) => path[1] === index && code !== 'github.missing');
          const read = decode(fullAnswer.nullish(), node, 'pull request');
          if (refusal !== undefined) refused.set(id, refusal.message);
          else if (!read.ok) refused.set(id, read.fault.message);
          else if ((read.value ?? null) !== null) answers.set(id, read.value as FullPullRequest);
        }
      },
      refuse: (id, { message }) => refused.set(id, message),
    });
    return { answers, refused };
  }

  /** Returns `unknown` for an unreadable pull request, so that other branches are not affected. */
  async function resolve(
    branch: string,
    match: FoundPullRequest | 'none' | 'unknown',
    last: LastingPullRequest | undefined,
    { baseSha, required: wanted, names, partial }: PullRequestsBatch,
    full: FullReadResult,
    signal: AbortSignal,
  ): Promise<ResolvedPullRequest | 'none' | 'unknown'> {
    const isPartial = partial.has(branch);
    const why = partial.get(branch) ?? (typeof match === 'string' ? undefined : full.refused.get(match.id));
    if (why !== undefined) whyUnknown.set(branch, why);
    if (typeof match === 'string') return match;
    try {
      const answer = isFull(match) ? match : full.answers.get(match.id);
      const lasting =
        answer === undefined ? last : await readLastingPullRequest(context, answer, baseSha, signal);
      const light = answer ?? match;
      if (lasting === undefined || light.state === 'CLOSED' || (isPartial && answer?.labels === null))
        return 'unknown';
      // If the response has no check names, all required checks are treated as missing until the
      // next pass, which requests the names.
      const missing = names ? await findMissingChecks(context, wanted, light, signal) : wanted;
      return { light, lasting, pullRequest: toPullRequest(lasting, light, { baseSha, missing, isPartial }) };
    } catch (error) {
      if (signal.aborted) throw error;
      // Also catches errors of Legion's own code: a response in an unexpected form affects only its
      // branch.
      context.reportProblem(error);
      whyUnknown.set(branch, error instanceof Error ? error.message : String(error));
      return 'unknown';
    }
  }

  function toRemembered(branch: string, resolved: ResolvedPullRequest | 'none'): RememberedPullRequest {
    const readAt = context.clock.now();
    if (resolved === 'none')
      return { readAt: known.get(branch)?.readAt ?? readAt, isLinked: false, last: 'none' };
    const { light, lasting } = resolved;
    const isLinked = light.headRefName !== branch;
    return { readAt, isLinked, last: { fingerprint: computeFingerprint(light), lasting } };
  }

  return {
    read,
    whyUnknown: (branch) => whyUnknown.get(branch),
    forget(branch) {
      const linked = [...known].filter(([, { last }]) => last !== 'none' && last.lasting.branch === branch);
      const names = [...new Set([branch, ...linked.map(([name]) => name)])];
      for (const name of names) {
        known.delete(name);
        forgotten.set(name, (forgotten.get(name) ?? 0) + 1);
      }
      return names;
    },
  };
}

/** Keyed by pull request id. */
interface FullReadResult {
  readonly answers: ReadonlyMap<string, FullPullRequest>;
  readonly refused: ReadonlyMap<string, string>;
}

type RememberedByBranch = ReadonlyMap<string, RememberedPullRequest | undefined>;

interface ResolvedPullRequest {
  readonly light: LightPullRequest;
  readonly lasting: LastingPullRequest;
  readonly pullRequest: ForgePullRequest;
}

function computeFingerprint({ id, state, updatedAt, headRefOid, isDraft }: LightPullRequest): string {
  return [id, state, updatedAt, headRefOid, isDraft].join(' ');
}

function isFull(pullRequest: FoundPullRequest): pullRequest is FullPullRequest {
  return pullRequest.title !== undefined;
}

function isFullOf(
  match: FoundPullRequest | 'none' | 'unknown',
  full: ReadonlyMap<string, FullPullRequest>,
): boolean {
  return typeof match !== 'string' && (isFull(match) || full.has(match.id));
}
