/**
 * Caches issue contents, and reads an issue again if its head shows a change. Also parses the
 * blockers that an issue's text mentions.
 */
import type { Clock } from '../../../core/model/clock.ts';
import type { FaultCode } from '../../../core/model/fault.ts';
import type { IssueProblem } from '../../../core/model/issue.ts';
import { collectForward, type ForwardPage } from '../../../lib/paginate.ts';
import { isUnavailable, readIsolated } from '../../../lib/read-isolated.ts';
import { unwrap } from '../../../lib/result.ts';
import { isGithubNumber } from '../../tracker-support/pull-request-address.ts';
import { throwUnavailable } from '../client/answer-fault.ts';
import type { GithubClient, LabelAnswer } from '../client/client.ts';
import { type IssueReference, toIssueReferenceKey } from '../client/issue-reference.ts';
import { listProseLines } from '../client/published-text.ts';
import { isSettled } from '../client/time.ts';
import type { IssuePartsFragment, IssuesInFullQuery, MoreLabelsQuery } from '../generated/tracker.ts';
import { createOutOfRangeProblem, toSentence } from './blockers.ts';
import { ISSUES_IN_FULL, MORE_LABELS, PAGE } from './documents.ts';
import { type GithubIssue, type IssueHead, readIssueAnswer, readLabels } from './read-answer.ts';

export interface IssueContent {
  readonly answer: GithubIssue;
  readonly reference: IssueReference;
  readonly labels: readonly LabelAnswer[];
  /** Blockers mentioned in the issue's text. */
  readonly named: readonly IssueReference[];
  /** Problems found while reading the issue. */
  readonly problems: readonly IssueProblem[];
  /** True if every later change is certain to change `updatedAt`. */
  readonly isSettled: boolean;
}

export interface IssueContents {
  of(node: string): IssueContent | undefined;
  /** Stores issues that were read in full. */
  keep(answers: readonly IssuePartsFragment[], signal: AbortSignal): Promise<void>;
  /**
   * Reads the issues whose heads differ from the cache, a hundred per request. Drops deleted
   * issues.
   */
  refresh(heads: readonly IssueHead[], signal: AbortSignal): Promise<void>;
  /**
   * Records that GitHub refused to show the issue: keeps its last content and adds the reason why
   * that content is outdated.
   */
  refuse(node: string, reason: string, code?: FaultCode): void;
  /** Returns the reason for each issue that was never read because GitHub refused to show it. */
  missing(): readonly string[];
  /** Drops all issues except these, which are the issues on the boards. */
  retain(nodes: ReadonlySet<string>): void;
}

export function openContents(client: GithubClient, clock: Pick<Clock, 'now'>): IssueContents {
  const contents = new Map<string, IssueContent>();
  const missing = new Map<string, string>();
  /**
   * Number of consecutive passes that failed, or left an issue out, because GitHub was unavailable.
   */
  let failures = 0;

  function refuse(node: string, reason: string, code?: FaultCode): void {
    const known = contents.get(node);
    const problem =
      code === 'github.unavailable' ? createUnavailableProblem(reason) : createRefusedProblem(reason);
    if (known === undefined) missing.set(node, reason);
    else contents.set(node, { ...known, isSettled: false, problems: [problem] });
  }

  async function keepOne(answer: IssuePartsFragment, signal: AbortSignal): Promise<void> {
    const content = await readContent(client, answer, clock.now(), signal);
    missing.delete(answer.id);
    contents.set(answer.id, content);
  }

  async function keep(answers: readonly IssuePartsFragment[], signal: AbortSignal): Promise<void> {
    await readIsolated({
      items: answers,
      batch: 1,
      read: async ([answer]) => answer && keepOne(answer, signal),
      refuse: ({ id }, { message }) => refuse(id, message),
    });
  }

  async function readBatch(ids: readonly string[], signal: AbortSignal): Promise<void> {
    const { data, refusals } = await client.queryPartially<IssuesInFullQuery>(
      ISSUES_IN_FULL,
      { ids },
      { signal },
    );
    throwUnavailable(refusals);
    const read: IssuePartsFragment[] = [];
    for (const [index, id] of ids.entries()) {
      const node = data.nodes[index];
      const refusal = refusals.find(({ path, code }) => path[1] === index && code !== 'github.missing');
      // If labels or dates were refused, the issue would be misread; a missing parent is harmless.
      if (refusal !== undefined && refusal.path[2] !== 'parent') refuse(id, refusal.message);
      else if (!isIssue(node)) forget(id);
      else read.push(node);
    }
    await keep(read, signal);
  }

  function forget(node: string): void {
    contents.delete(node);
    missing.delete(node);
  }

  return {
    of: (node) => contents.get(node),
    keep,
    refuse,
    missing: () => [...missing.values()],
    async refresh(heads, signal) {
      const changed = [...new Map(heads.map((head) => [head.id, head])).values()]
        .filter(({ id, updatedAt }) => !isAsKnown(contents.get(id), updatedAt))
        .map(({ id }) => id);
      const isPersistent = failures > 0;
      let isLeftOut = false;
      try {
        await readIsolated({
          items: changed,
          batch: PAGE,
          read: (ids) => readBatch(ids, signal),
          isPersistent,
          refuse: (id, error) => {
            isLeftOut ||= isUnavailable(error);
            refuse(id, error.message, error.code);
          },
        });
        if (!isLeftOut) failures = 0;
      } catch (error) {
        // If the failure repeats, the next pass checks whether a single issue is the cause.
        if (isUnavailable(error)) failures += 1;
        throw error;
      }
    },
    retain(nodes) {
      for (const node of [...contents.keys(), ...missing.keys()]) if (!nodes.has(node)) forget(node);
    },
  };
}

/** Throws `input.invalid` if the response is not a well-formed issue. */
export async function readContent(
  client: GithubClient,
  raw: IssuePartsFragment,
  readAt: number,
  signal: AbortSignal,
): Promise<IssueContent> {
  const { answer, oddities } = unwrap(readIssueAnswer(raw));
  const { repository, number, body } = answer;
  const reference = { owner: repository.owner.login, repo: repository.name, number };
  const { references, impossible } = findNamedBlockers(body, reference);
  return {
    answer,
    reference,
    labels: await readAllLabels(client, answer, signal),
    named: references,
    problems: [...oddities.map(createMalformedProblem), ...impossible.map(createOutOfRangeProblem)],
    isSettled: isSettled(answer.updatedAt, readAt),
  };
}

/**
 * Returns false for null and an empty object, which GitHub returns for a node that is gone or is
 * not an issue.
 */
export function isIssue(node: IssuesInFullQuery['nodes'][number] | undefined): node is IssuePartsFragment {
  return node?.id !== undefined;
}

function isAsKnown(known: IssueContent | undefined, updatedAt: string): boolean {
  return known?.isSettled === true && known.answer.updatedAt === updatedAt;
}

async function readAllLabels(
  client: GithubClient,
  { id, labels }: GithubIssue,
  signal: AbortSignal,
): Promise<readonly LabelAnswer[]> {
  if (labels === null) return [];
  return collectForward(labels, async (after) => {
    const answer = await client.query<MoreLabelsQuery>(MORE_LABELS, { id, after }, { signal });
    return unwrap(readLabels(answer.node?.labels ?? null)) ?? NO_LABELS;
  });
}

const NO_LABELS: ForwardPage<LabelAnswer> = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };

/**
 * Maximum number of references per issue. Each one makes a request more expensive, and anyone may
 * write an issue's text.
 */
const NAMES_MAX = 50;

const BULLET = /^\s*(?:[-*+]\s+(?:\[[ xX]\]\s+)?)?/;
const BLOCKER_PHRASE = /^(?:\*\*|__)?(?:blocked by|depends on)(?:\*\*|__)?\s*:?(?:\*\*|__)?\s*/i;
/**
 * GitHub limits an owner's name to 39 characters and a repository's to 100. Numbers outside
 * GitHub's range are matched too, so that they can be reported.
 */
const NAME = /^(?:([A-Za-z0-9][A-Za-z0-9-]{0,38})\/([A-Za-z0-9._-]{1,100}))?#([1-9]\d{0,99})(?![\w-])/;
const ADDRESS =
  /^https:\/\/[^/\s]{1,255}\/([A-Za-z0-9][A-Za-z0-9-]{0,38})\/([A-Za-z0-9._-]{1,100})\/(?:issues|pull)\/([1-9]\d{0,99})(?![\w-])/;
const BETWEEN = /^\s*(?:,|;|&|\band\b)?\s*/i;

export interface NamedBlockers {
  readonly references: readonly IssueReference[];
  /** References, as written in the text, whose number is outside GitHub's range. */
  readonly impossible: readonly string[];
}

interface BlockerMention {
  readonly reference: IssueReference;
  readonly written: string;
}

/**
 * Parses blockers from an issue's text: lines such as `Blocked by #5` or `Depends on owner/repo#7,
 * #8`. A reference without a repository refers to the issue's own repository. An issue cannot block
 * itself.
 */
export function findNamedBlockers(body: string, self: IssueReference): NamedBlockers {
  const mentions = new Map<string, BlockerMention>();
  for (const line of listProseLines(body)) {
    for (const name of findBlockerMentions(line, self)) {
      if (mentions.size === NAMES_MAX) break;
      mentions.set(toIssueReferenceKey(name.reference), name);
    }
  }
  mentions.delete(toIssueReferenceKey(self));
  const names = [...mentions.values()];
  return {
    references: names.flatMap(({ reference }) => (isGithubNumber(reference.number) ? [reference] : [])),
    impossible: names.flatMap(({ reference, written }) =>
      isGithubNumber(reference.number) ? [] : [written],
    ),
  };
}

/** Reads consecutive references. The first other word ends the list. */
function findBlockerMentions(line: string, self: IssueReference): readonly BlockerMention[] {
  const text = line.replace(BULLET, '');
  if (!BLOCKER_PHRASE.test(text)) return [];
  const names: BlockerMention[] = [];
  let rest = text.replace(BLOCKER_PHRASE, '');
  for (;;) {
    const match = NAME.exec(rest) ?? ADDRESS.exec(rest);
    if (match === null) return names;
    const [written, owner = self.owner, repo = self.repo, number] = match;
    names.push({ reference: { owner, repo, number: Number(number) }, written });
    rest = rest.slice(written.length).replace(BETWEEN, '');
  }
}

function createRefusedProblem(reason: string): IssueProblem {
  const text = `Legion no longer has permission to read this issue and shows its last known state: ${toSentence(reason)} Next step: give Legion’s account access to it again; the next read of the board picks it up.`;
  return { text, holds: true };
}

function createUnavailableProblem(reason: string): IssueProblem {
  const text = `GitHub cannot return this issue, so Legion shows its last known state: ${toSentence(reason)} Next step: wait or edit the issue; if the error persists, contact GitHub support.`;
  return { text, holds: true };
}

function createMalformedProblem(problem: string): IssueProblem {
  return { text: `GitHub’s response for this issue is malformed: ${toSentence(problem)}`, holds: false };
}
