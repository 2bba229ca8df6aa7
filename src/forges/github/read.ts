/** Reads pull requests by branch: a digest of all that are known, and in full only what has changed since. */
import { LegionError } from '../../domain/fault.ts';
import { isSettled } from '../../github/time.ts';
import { isBranchName } from '../branch-name.ts';
import type { ForgePullRequest } from '../forge.ts';
import type { FullAnswer, LightAnswer } from './answers.ts';
import { type Answered, askByBranch, type Found } from './ask-by-branch.ts';
import { batchSize, type Kind } from './batch-size.ts';
import type { Desk } from './desk.ts';
import { completed } from './full-answers.ts';
import { missingChecks } from './missing-checks.ts';
import { asPullRequest, type Lasting } from './pull-request.ts';
import { BY_ID, PAGE } from './read-documents.ts';

/** A safety net under all that a digest could miss. */
const FULL_EVERY_MS = 30 * 60_000;

type Read = ReadonlyMap<string, ForgePullRequest | 'unknown'>;

export interface Reader {
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
    const answers = [
      ...(await ask(
        'Full',
        names.filter((name) => !isFresh(name)),
        signal,
      )),
      ...(await ask('Light', names.filter(isFresh), signal)),
    ];
    const full = await inFull(changedIn(answers, entries), signal);
    const result = new Map<string, ForgePullRequest | 'unknown'>();
    for (const answered of answers) {
      required = answered.required.length > 0;
      for (const [branch, found] of answered.found) {
        const last = typeof found === 'string' ? undefined : lastOf(entries.get(branch), found);
        const seen = await see(found, last, answered, full, signal);
        if (seen !== 'none') result.set(branch, seen === 'unknown' ? seen : seen.pullRequest);
        const isOurs = !answered.isPartial && forgotten.get(branch) === before.get(branch);
        if (seen === 'unknown' || !isOurs) known.delete(branch);
        else if (seen === 'none' || isFullOf(found, full)) known.set(branch, remembered(branch, seen));
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

  function lastOf(entry: Known | undefined, light: LightAnswer): Lasting | undefined {
    if (entry === undefined || entry.last === 'none') return undefined;
    // What was read so soon after its last change is read again: it may have changed unseen.
    const isKnown = isSettled(light.updatedAt, entry.readAt);
    return isKnown && entry.last.fingerprint === fingerprintOf(light) ? entry.last.lasts : undefined;
  }

  async function inFull(
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, FullAnswer>> {
    const found = new Map<string, FullAnswer>();
    const most = size.of('Full');
    for (let from = 0; from < ids.length; from += most) {
      const variables = { ids: ids.slice(from, from + most), contexts: required ? PAGE : 1 };
      const how = { signal, tolerates: ['NOT_FOUND'] };
      const { nodes } = await desk.client.query<{ nodes: (FullAnswer | null)[] }>(BY_ID, variables, how);
      for (const node of nodes) if (node !== null) found.set(node.id, node);
    }
    return found;
  }

  /** What cannot be read is unknown for its own branch, and disturbs no other. */
  async function see(
    found: Found | 'none' | 'unknown',
    last: Lasting | undefined,
    { baseSha, required: wanted, names, isPartial }: Answered,
    full: ReadonlyMap<string, FullAnswer>,
    signal: AbortSignal,
  ): Promise<Seen | 'none' | 'unknown'> {
    if (typeof found === 'string') return found;
    try {
      const answer = isFull(found) ? found : full.get(found.id);
      const lasts = answer === undefined ? last : await completed(desk, answer, baseSha, signal);
      const light = answer ?? found;
      if (lasts === undefined || light.state === 'CLOSED' || (isPartial && answer?.labels === null))
        return 'unknown';
      // Without their names all count as missing, until the next look asks for those.
      const missing = names ? await missingChecks(desk, wanted, light, signal) : wanted;
      return { light, lasts, pullRequest: asPullRequest(lasts, light, { baseSha, missing, isPartial }) };
    } catch (error) {
      if (!(error instanceof LegionError) || signal.aborted) throw error;
      desk.complain(error);
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

type Entries = ReadonlyMap<string, Known | undefined>;

interface Seen {
  readonly light: LightAnswer;
  readonly lasts: Lasting;
  readonly pullRequest: ForgePullRequest;
}

function fingerprintOf({ id, state, updatedAt, headRefOid, isDraft }: LightAnswer): string {
  return [id, state, updatedAt, headRefOid, isDraft].join(' ');
}

function isFull(found: Found): found is FullAnswer {
  return found.title !== undefined;
}

function isFullOf(found: Found | 'none' | 'unknown', full: ReadonlyMap<string, FullAnswer>): boolean {
  return typeof found !== 'string' && (isFull(found) || full.has(found.id));
}
