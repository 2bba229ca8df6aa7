/** Reads pull requests by branch: a digest of all that are known, and in full only what has changed since. */

import { decode } from '../../../domain/decode.ts';
import { isBranchName } from '../../../forges/branch-name.ts';
import { batchSize, type Kind } from '../../../forges/github/batch-size.ts';
import type { Desk } from '../../../forges/github/desk.ts';
import { missingChecks } from '../../../forges/github/missing-checks.ts';
import { asPullRequest, type Lasting } from '../../../forges/github/pull-request.ts';
import { throwUnavailable } from '../../../github/refusals.ts';
import { isSettled } from '../../../github/time.ts';
import { readIsolated } from '../../../lib/read-isolated.ts';
import type { ForgePullRequest } from '../../../ports/forge.ts';
import type { PullRequestsByIdQuery } from '../generated/forge.ts';
import type { FullPullRequest, LightPullRequest } from './answer-schemas.ts';
import { fullAnswer } from './answer-schemas.ts';
import { type Answered, askByBranch, type Found } from './ask-by-branch.ts';
import { BY_ID, PAGE } from './documents.ts';
import { completed } from './full-answers.ts';

/** A safety net under all that a digest could miss. */
const FULL_EVERY_MS = 30 * 60_000;

type Read = ReadonlyMap<string, ForgePullRequest | 'unknown'>;

export interface Reader {
  /** Why the last read of one branch's pull request could not tell of it, where that branch alone is the reason. */
  whyUnknown(branch: string): string | undefined;
  read(branches: readonly string[], signal: AbortSignal): Promise<Read>;
  /**
   * Something was written, or somebody says there is news: a digest is not enough. Returns the branches whose pull request
   * that may be, because one that was found by its issue has another branch than the one it was asked for by.
   */
  forget(branch: string): readonly string[];
}

/** What is remembered of a branch; `none` that there was no pull request. */
interface Known {
  readonly readAt: number;
  readonly isLinked: boolean;
  readonly last: { readonly fingerprint: string; readonly lasts: Lasting } | 'none';
}

export function openReader(desk: Desk): Reader {
  const known = new Map<string, Known>();
  const forgotten = new Map<string, number>();
  const whyUnknown = new Map<string, string>();
  const size = batchSize();
  let required = true; // whether checks are; until that is known, their names are asked for

  function isFresh(branch: string): boolean {
    const { readAt } = known.get(branch) ?? {};
    const age = readAt === undefined ? FULL_EVERY_MS : desk.clock.now() - readAt;
    return age >= 0 && age < FULL_EVERY_MS;
  }

  /** Branches nobody asks for any more; the texts of their pull requests are long. */
  function prune(): void {
    const oldest = desk.clock.now() - 2 * FULL_EVERY_MS;
    for (const [branch, { readAt }] of known) if (readAt < oldest) known.delete(branch);
  }

  function ask(kind: Kind, branches: readonly string[], signal: AbortSignal) {
    // In a digest only those that had no pull request of their own branch.
    const byIssue = (branch: string) => {
      const { last, isLinked } = known.get(branch) ?? { last: 'none', isLinked: false };
      return kind === 'Full' || last === 'none' || isLinked;
    };
    return askByBranch(desk, { kind, size, branches, byIssue, names: required }, signal);
  }

  async function read(branches: readonly string[], signal: AbortSignal): Promise<Read> {
    const names = [...new Set(branches.filter(isBranchName))];
    prune();
    const before = new Map(names.map((name) => [name, forgotten.get(name)]));
    // As they are now: what is forgotten while GitHub answers still holds for this answer.
    const entries = new Map(names.map((name) => [name, known.get(name)]));
    const inFullBefore = await ask(
      'Full',
      names.filter((name) => !isFresh(name)),
      signal,
    );
    const digested = await ask('Light', names.filter(isFresh), signal);
    const answers = [...inFullBefore.answers, ...digested.answers];
    const full = await inFull(changedIn(answers, entries), signal);
    const result = new Map<string, ForgePullRequest | 'unknown'>();
    for (const name of names) whyUnknown.delete(name);
    for (const [branch, why] of [...inFullBefore.refused, ...digested.refused]) {
      result.set(branch, 'unknown');
      known.delete(branch);
      whyUnknown.set(branch, why);
    }
    for (const answered of answers) {
      required = answered.required.length > 0;
      for (const [branch, found] of answered.found) {
        const last = typeof found === 'string' ? undefined : lastOf(entries.get(branch), found);
        const seen = await see(branch, found, last, answered, full, signal);
        if (seen !== 'none') result.set(branch, seen === 'unknown' ? seen : seen.pullRequest);
        const isOurs = !answered.partial.has(branch) && forgotten.get(branch) === before.get(branch);
        if (seen === 'unknown' || !isOurs) known.delete(branch);
        else if (seen === 'none' || isFullOf(found, full.answers))
          known.set(branch, remembered(branch, seen));
      }
    }
    return result;
  }

  /** Digests that tell of a change, or that nothing is remembered for. */
  function changedIn(answers: readonly Answered[], entries: Entries): readonly string[] {
    return answers.flatMap(({ found }) =>
      [...found].flatMap(([branch, each]) =>
        typeof each === 'string' || isFull(each) || lastOf(entries.get(branch), each) !== undefined
          ? []
          : [each.id],
      ),
    );
  }

  function lastOf(entry: Known | undefined, light: LightPullRequest): Lasting | undefined {
    if (entry === undefined || entry.last === 'none') return undefined;
    // What was read so soon after its last change is read again: it may have changed unseen.
    const isKnown = isSettled(light.updatedAt, entry.readAt);
    return isKnown && entry.last.fingerprint === fingerprintOf(light) ? entry.last.lasts : undefined;
  }

  async function inFull(ids: readonly string[], signal: AbortSignal): Promise<FullRead> {
    const answers = new Map<string, FullPullRequest>();
    const refused = new Map<string, string>();
    await readIsolated({
      items: ids,
      batch: size.of('Full'),
      read: async (some) => {
        const variables = { ids: some, contexts: required ? PAGE : 1 };
        const { data, refusals } = await desk.client.queryPartially<PullRequestsByIdQuery>(BY_ID, variables, {
          signal,
        });
        throwUnavailable(refusals);
        for (const [index, id] of some.entries()) {
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

  /** What cannot be read is unknown for its own branch, and disturbs no other. */
  async function see(
    branch: string,
    found: Found | 'none' | 'unknown',
    last: Lasting | undefined,
    { baseSha, required: wanted, names, partial }: Answered,
    full: FullRead,
    signal: AbortSignal,
  ): Promise<Seen | 'none' | 'unknown'> {
    const isPartial = partial.has(branch);
    const why = partial.get(branch) ?? (typeof found === 'string' ? undefined : full.refused.get(found.id));
    if (why !== undefined) whyUnknown.set(branch, why);
    if (typeof found === 'string') return found;
    try {
      const answer = isFull(found) ? found : full.answers.get(found.id);
      const lasts = answer === undefined ? last : await completed(desk, answer, baseSha, signal);
      const light = answer ?? found;
      if (lasts === undefined || light.state === 'CLOSED' || (isPartial && answer?.labels === null))
        return 'unknown';
      // Without their names all count as missing, until the next look asks for those.
      const missing = names ? await missingChecks(desk, wanted, light, signal) : wanted;
      return { light, lasts, pullRequest: asPullRequest(lasts, light, { baseSha, missing, isPartial }) };
    } catch (error) {
      if (signal.aborted) throw error;
      // Also a mistake of ours: an answer of a form that nobody thought of concerns its own branch.
      desk.complain(error);
      whyUnknown.set(branch, error instanceof Error ? error.message : String(error));
      return 'unknown';
    }
  }

  function remembered(branch: string, seen: Seen | 'none'): Known {
    const readAt = desk.clock.now();
    if (seen === 'none')
      return { readAt: known.get(branch)?.readAt ?? readAt, isLinked: false, last: 'none' };
    const { light, lasts } = seen;
    const isLinked = light.headRefName !== branch;
    return { readAt, isLinked, last: { fingerprint: fingerprintOf(light), lasts } };
  }

  return {
    read,
    whyUnknown: (branch) => whyUnknown.get(branch),
    forget(branch) {
      const linked = [...known].filter(([, { last }]) => last !== 'none' && last.lasts.branch === branch);
      const names = [...new Set([branch, ...linked.map(([name]) => name)])];
      for (const name of names) {
        known.delete(name);
        forgotten.set(name, (forgotten.get(name) ?? 0) + 1);
      }
      return names;
    },
  };
}

/** By the ids of pull requests. */
interface FullRead {
  readonly answers: ReadonlyMap<string, FullPullRequest>;
  readonly refused: ReadonlyMap<string, string>;
}

type Entries = ReadonlyMap<string, Known | undefined>;

interface Seen {
  readonly light: LightPullRequest;
  readonly lasts: Lasting;
  readonly pullRequest: ForgePullRequest;
}

function fingerprintOf({ id, state, updatedAt, headRefOid, isDraft }: LightPullRequest): string {
  return [id, state, updatedAt, headRefOid, isDraft].join(' ');
}

function isFull(found: Found): found is FullPullRequest {
  return found.title !== undefined;
}

function isFullOf(found: Found | 'none' | 'unknown', full: ReadonlyMap<string, FullPullRequest>): boolean {
  return typeof found !== 'string' && (isFull(found) || full.has(found.id));
}
