/** A forge in memory: pull requests, reviews, CI that takes its time, merges that nothing lands behind. */
import { LegionError } from '../core/model/fault.ts';
import type { Review } from '../core/model/pull-request.ts';
import type { Forge, ForgePullRequest, NewPullRequest, Remark } from '../ports/forge.ts';
import { BASE, type Code } from './code.ts';
import type { Random } from './random.ts';
import type { Time } from './time.ts';

interface Entry {
  readonly number: number;
  readonly branch: string;
  readonly author: string;
  title: string;
  body: string;
  draft: boolean;
  readonly labels: Set<string>;
  readonly reviews: Review[];
  readonly remarks: (Remark & { readonly key?: string })[];
  merged?: { readonly headSha: string; readonly mergedSha: string };
}

export interface SimForge extends Forge {
  readonly entries: readonly Readonly<Entry>[];
  isMerged(sha: string): boolean;
  /** What CI has said of a commit, if it was ever asked. */
  checkedAs(sha: string): 'pending' | 'passing' | 'failing' | undefined;
}

export interface ForgeOptions {
  readonly code: Code;
  readonly time: Time;
  readonly random: Random;
  /** Whether CI fails at the next commit it looks at. */
  readonly ciFails: () => boolean;
  /** Hears of every merge at the moment it lands. */
  readonly landed: (issue: string, mergedSha: string) => void;
}

/** CI of a small project. */
const CI_LEAST_MS = 20_000;
const CI_MOST_MS = 240_000;

export function simForge({ code, time, random, ciFails, landed }: ForgeOptions): SimForge {
  const entries: Entry[] = [];
  const ci = new Map<string, 'pending' | 'passing' | 'failing'>();
  const listeners = new Set<(branch: string) => void>();

  function entry(number: number): Entry {
    const found = entries.find((each) => each.number === number);
    if (found === undefined) throw new LegionError('forge.pull_request_missing', `there is no ${number}`);
    return found;
  }
  function checked(sha: string, branch: string): 'pending' | 'passing' | 'failing' {
    const known = ci.get(sha);
    if (known !== undefined) return known;
    ci.set(sha, 'pending');
    time.after(random.between(CI_LEAST_MS, CI_MOST_MS), () => {
      ci.set(sha, ciFails() ? 'failing' : 'passing');
      for (const listener of listeners) listener(branch);
    });
    return 'pending';
  }
  function view(of: Entry): ForgePullRequest {
    const headSha = of.merged?.headSha ?? code.branches.get(of.branch) ?? '';
    const changedFiles = code.ahead(headSha);
    return {
      ...{
        number: of.number,
        branch: of.branch,
        title: of.title,
        body: of.body,
        draft: of.draft,
        author: of.author,
      },
      ...{ state: of.merged === undefined ? 'open' : 'merged', headSha, baseSha: code.base, changedFiles },
      ...(of.merged === undefined ? {} : { mergedSha: of.merged.mergedSha }),
      ...{ reviews: [...of.reviews], ci: checked(headSha, of.branch), mergeable: code.mergeable(headSha) },
      ...{ additions: 10, deletions: 2, labels: [...of.labels] },
    };
  }
  const openOf = (branch: string) =>
    entries.find((each) => each.branch === branch && each.merged === undefined);
  const ofBranch = (branch: string) => openOf(branch) ?? entries.findLast((each) => each.branch === branch);

  return {
    kind: 'local',
    entries,
    isMerged: (sha) => entries.some(({ merged }) => merged?.headSha === sha),
    checkedAs: (sha) => ci.get(sha),
    async pullRequests(branches) {
      const found = branches.flatMap((branch): [string, ForgePullRequest][] => {
        const of = ofBranch(branch);
        return of === undefined ? [] : [[branch, view(of)]];
      });
      return new Map(found);
    },
    changesSince: async (shas, { headSha }) =>
      new Map(shas.map((sha) => [sha, code.since(sha, headSha) ?? 'unknown'])),
    async checks(sha) {
      const status = ci.get(sha);
      return status === 'passing' || status === 'failing' || status === 'pending'
        ? [{ name: 'ci', status }]
        : [];
    },
    checkLog: async () => ({ text: 'it failed' }),
    failingCheck: async (sha) =>
      ci.get(sha) === 'failing' ? { name: 'ci', logTail: 'it failed' } : undefined,
    findChecks: async () => 'some',
    remarks: async (number) => entry(number).remarks,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async push(branch) {
      const head = code.heads.get(branch);
      if (head === undefined) throw new LegionError('forge.workspace_unusable', `${branch} has no workspace`);
      code.branches.set(branch, head);
      return head;
    },
    async open(branch, { title, body, draft, author }: NewPullRequest) {
      const head = code.branches.get(branch);
      if (head === undefined) throw new LegionError('forge.branch_missing', `there is no branch ${branch}`);
      const same = ofBranch(branch);
      if (same !== undefined && (same.merged === undefined || same.merged.headSha === head))
        return same.number;
      if (code.ahead(head).length === 0)
        throw new LegionError('forge.nothing_to_merge', `${branch} is the base`);
      const number = entries.length + 1;
      entries.push({
        ...{ number, branch, title, body, draft, author },
        ...{ labels: new Set(), reviews: [], remarks: [] },
      });
      return number;
    },
    async edit(number, { title, body }) {
      const of = entry(number);
      of.title = title ?? of.title;
      of.body = body ?? of.body;
    },
    async markReady(number) {
      entry(number).draft = false;
    },
    async label(number, { add, remove }) {
      const { labels } = entry(number);
      for (const label of remove) labels.delete(label);
      for (const label of add) labels.add(label);
    },
    async comment(number, key, text) {
      const { remarks } = entry(number);
      if (remarks.some((remark) => remark.key === key)) return;
      remarks.push({ key, kind: 'comment', by: 'legion', at: time.now(), text });
    },
    async review(number, { reviewer, verdict, sha, text }) {
      const of = entry(number);
      if (reviewer === of.author) throw new LegionError('forge.own_review', `${reviewer} wrote it`);
      const latest = of.reviews.findLast((review) => review.reviewer === reviewer);
      if (latest?.verdict === verdict && latest.sha === sha) return;
      const at = Math.max(time.now(), (of.reviews.at(-1)?.at ?? 0) + 1);
      of.reviews.push({ reviewer, verdict, sha, at });
      of.remarks.push({ kind: verdict, by: reviewer, at, text });
    },
    async merge(number, { headSha, baseSha }) {
      const of = entry(number);
      if (of.merged !== undefined) return { mergedSha: of.merged.mergedSha };
      if (code.branches.get(of.branch) !== headSha)
        throw new LegionError('forge.head_moved', `${of.branch} moved`);
      if (code.base !== baseSha) throw new LegionError('forge.base_moved', `${BASE} moved`);
      if (code.mergeable(headSha) === 'conflicting')
        throw new LegionError(
          'forge.conflict',
          `${of.branch}: conflicts in ${code.conflicts(headSha).join(', ')}`,
        );
      const mergedSha = code.squash(headSha);
      code.land(mergedSha);
      of.merged = { headSha, mergedSha };
      landed(of.branch, mergedSha);
      return { mergedSha };
    },
    async abandon() {
      throw new LegionError('forge.unavailable', 'nobody abandons anything here');
    },
    async revert() {
      throw new LegionError('forge.unavailable', 'nobody reverts anything here');
    },
    close: async () => undefined,
  };
}
