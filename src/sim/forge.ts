/**
 * Simulates a forge in memory: pull requests, reviews, delayed CI, and merges that require the
 * expected head and base.
 */
import { LegionError } from '../core/model/fault.ts';
import type { PullRequestReview } from '../core/model/pull-request.ts';
import type { Forge, ForgePullRequest, NewPullRequest, PullRequestRemark } from '../ports/forge.ts';
import { BASE_BRANCH, type SimRepository } from './code.ts';
import type { SeededRandom } from './random.ts';
import type { SimTime } from './time.ts';

interface SimPullRequest {
  readonly number: number;
  readonly branch: string;
  readonly author: string;
  title: string;
  body: string;
  draft: boolean;
  readonly labels: Set<string>;
  readonly reviews: PullRequestReview[];
  readonly remarks: (PullRequestRemark & { readonly key?: string })[];
  merged?: { readonly headSha: string; readonly mergedSha: string };
}

export interface SimForge extends Forge {
  readonly entries: readonly Readonly<SimPullRequest>[];
  isMerged(sha: string): boolean;
  /** Returns the CI status of a commit. Undefined if CI was never requested for it. */
  checkedAs(sha: string): 'pending' | 'passing' | 'failing' | undefined;
}

export interface SimForgeOptions {
  readonly code: SimRepository;
  readonly time: SimTime;
  readonly random: SeededRandom;
  /** Returns whether CI fails for the next commit. */
  readonly ciFails: () => boolean;
  /** Called for every merge when it lands. */
  readonly onLanded: (issue: string, mergedSha: string) => void;
}

/** CI duration of a small project. */
const MIN_CI_MS = 20_000;
const MAX_CI_MS = 240_000;

export function createSimForge({ code, time, random, ciFails, onLanded }: SimForgeOptions): SimForge {
  const entries: SimPullRequest[] = [];
  const ci = new Map<string, 'pending' | 'passing' | 'failing'>();
  const listeners = new Set<(branch: string) => void>();

  function requirePullRequest(number: number): SimPullRequest {
    const pullRequest = entries.find((each) => each.number === number);
    if (pullRequest === undefined)
      throw new LegionError('forge.pull_request_missing', `pull request ${number} does not exist`);
    return pullRequest;
  }
  function readCi(sha: string, branch: string): 'pending' | 'passing' | 'failing' {
    const known = ci.get(sha);
    if (known !== undefined) return known;
    ci.set(sha, 'pending');
    time.after(random.between(MIN_CI_MS, MAX_CI_MS), () => {
      ci.set(sha, ciFails() ? 'failing' : 'passing');
      for (const listener of listeners) listener(branch);
    });
    return 'pending';
  }
  function toForgePullRequest(pullRequest: SimPullRequest): ForgePullRequest {
    const headSha = pullRequest.merged?.headSha ?? code.branches.get(pullRequest.branch) ?? '';
    const changedFiles = code.ahead(headSha);
    return {
      number: pullRequest.number,
      branch: pullRequest.branch,
      title: pullRequest.title,
      body: pullRequest.body,
      draft: pullRequest.draft,
      author: pullRequest.author,
      state: pullRequest.merged === undefined ? 'open' : 'merged',
      headSha,
      baseSha: code.base,
      changedFiles,
      ...(pullRequest.merged === undefined ? {} : { mergedSha: pullRequest.merged.mergedSha }),
      reviews: [...pullRequest.reviews],
      ci: readCi(headSha, pullRequest.branch),
      mergeable: code.mergeable(headSha),
      additions: 10,
      deletions: 2,
      labels: [...pullRequest.labels],
    };
  }
  const findOpen = (branch: string) =>
    entries.find((each) => each.branch === branch && each.merged === undefined);
  const findByBranch = (branch: string) =>
    findOpen(branch) ?? entries.findLast((each) => each.branch === branch);

  return {
    kind: 'local',
    entries,
    isMerged: (sha) => entries.some(({ merged }) => merged?.headSha === sha),
    checkedAs: (sha) => ci.get(sha),
    async pullRequests(branches) {
      const results = branches.flatMap((branch): [string, ForgePullRequest][] => {
        const pullRequest = findByBranch(branch);
        return pullRequest === undefined ? [] : [[branch, toForgePullRequest(pullRequest)]];
      });
      return new Map(results);
    },
    changesSince: async (shas, { headSha }) =>
      new Map(shas.map((sha) => [sha, code.since(sha, headSha) ?? 'unknown'])),
    changedFiles: async ({ headSha }) => code.ahead(headSha).map((path) => ({ path, lines: 1 })),
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
    remarks: async (number) => requirePullRequest(number).remarks,
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
      if (head === undefined)
        throw new LegionError('forge.branch_missing', `branch ${branch} does not exist`);
      const existing = findByBranch(branch);
      if (existing !== undefined && (existing.merged === undefined || existing.merged.headSha === head))
        return existing.number;
      if (code.ahead(head).length === 0)
        throw new LegionError('forge.nothing_to_merge', `${branch} does not differ from the base`);
      const number = entries.length + 1;
      entries.push({
        number,
        branch,
        title,
        body,
        draft,
        author,
        labels: new Set(),
        reviews: [],
        remarks: [],
      });
      return number;
    },
    async edit(number, { title, body }) {
      const pullRequest = requirePullRequest(number);
      pullRequest.title = title ?? pullRequest.title;
      pullRequest.body = body ?? pullRequest.body;
    },
    async markReady(number) {
      requirePullRequest(number).draft = false;
    },
    async label(number, { add, remove }) {
      const { labels } = requirePullRequest(number);
      for (const label of remove) labels.delete(label);
      for (const label of add) labels.add(label);
    },
    async comment(number, key, text) {
      const { remarks } = requirePullRequest(number);
      if (remarks.some((remark) => remark.key === key)) return;
      remarks.push({ key, kind: 'comment', by: 'legion', at: time.now(), text });
    },
    async putComment(number, key, text) {
      const { remarks } = requirePullRequest(number);
      const at = remarks.findIndex((remark) => remark.key === key);
      const known = remarks[at];
      if (known === undefined) remarks.push({ key, kind: 'comment', by: 'legion', at: time.now(), text });
      else remarks[at] = { ...known, text };
    },
    async review(number, { reviewer, verdict, sha, text }) {
      const pullRequest = requirePullRequest(number);
      if (reviewer === pullRequest.author)
        throw new LegionError('forge.own_review', `${reviewer} is the author`);
      const latest = pullRequest.reviews.findLast((review) => review.reviewer === reviewer);
      if (latest?.verdict === verdict && latest.sha === sha) return;
      const at = Math.max(time.now(), (pullRequest.reviews.at(-1)?.at ?? 0) + 1);
      pullRequest.reviews.push({ reviewer, verdict, sha, at });
      pullRequest.remarks.push({ kind: verdict, by: reviewer, at, text });
    },
    async merge(number, { headSha, baseSha }) {
      const pullRequest = requirePullRequest(number);
      if (pullRequest.merged !== undefined) return { mergedSha: pullRequest.merged.mergedSha };
      if (code.branches.get(pullRequest.branch) !== headSha)
        throw new LegionError('forge.head_moved', `${pullRequest.branch} moved`);
      if (code.base !== baseSha) throw new LegionError('forge.base_moved', `${BASE_BRANCH} moved`);
      if (code.mergeable(headSha) === 'conflicting')
        throw new LegionError(
          'forge.conflict',
          `${pullRequest.branch}: conflicts in ${code.conflicts(headSha).join(', ')}`,
        );
      const mergedSha = code.squash(headSha);
      code.land(mergedSha);
      pullRequest.merged = { headSha, mergedSha };
      onLanded(pullRequest.branch, mergedSha);
      return { mergedSha };
    },
    async abandon() {
      throw new LegionError('forge.unavailable', 'abandoning is not simulated');
    },
    async revert() {
      throw new LegionError('forge.unavailable', 'reverting is not simulated');
    },
    close: async () => undefined,
  };
}
