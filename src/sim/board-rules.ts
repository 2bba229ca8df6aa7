/** What may happen to an issue: it goes its way step by step, lands once with everything that belongs to that, and stays on the board. */

import type { Event, EventOf } from '../core/model/event.ts';
import type { IssueId } from '../core/model/ids.ts';
import type { BoardView } from '../daemon/board-view.ts';
import type { Chronicle } from './chronicle.ts';
import type { Code } from './code.ts';
import type { SimJournal } from './journal.ts';
import type { Time } from './time.ts';
import type { Earth } from './world.ts';

/** Where an issue may go from each column; every other way would skip something. */
const WAYS: Readonly<Record<string, readonly string[]>> = {
  Triage: ['Icebox', 'Backlog', 'Todo'],
  Icebox: ['Backlog'],
  Backlog: ['Todo'],
  Todo: ['In Progress'],
  'In Progress': ['Testing'],
  Testing: ['Needs Review', 'In Progress'],
  'Needs Review': ['Retro', 'In Progress'],
  Retro: ['Done', 'Needs Review', 'Testing', 'In Progress'],
};

export class BoardRules {
  readonly #chronicle: Chronicle;
  readonly #merged = new Map<IssueId, string>();
  /** When each issue last came to be implemented, and was last looked back on; by the time that no clock jumps in. */
  readonly #inProgressAt = new Map<IssueId, number>();
  readonly #lookedBackAt = new Map<IssueId, number>();

  readonly #time: Time;

  constructor(chronicle: Chronicle, time: Time) {
    this.#chronicle = chronicle;
    this.#time = time;
  }

  /** No phase is skipped. */
  moved(issue: IssueId, from: string, to: string): void {
    this.#chronicle.tell(`${issue} moved from ${from} to ${to}`);
    if (to === 'In Progress') this.#inProgressAt.set(issue, this.#time.elapsed);
    if (WAYS[from]?.includes(to) !== true) this.#chronicle.breaks(`${issue} went from ${from} to ${to}`);
    if (to === 'Done' && !this.#merged.has(issue))
      this.#chronicle.breaks(`${issue} is Done and nothing of it has landed`);
  }

  /** No proof is refused that holds by the specification: the merger would send work back that nobody has to change. */
  refusedMerge({ journal, forge, code }: Earth, issue: IssueId, message: string): void {
    this.#chronicle.tell(`the merge of ${issue} is refused: ${message}`);
    const head = code.branches.get(issue) ?? '';
    const test = lastProof(journal, issue, 'test');
    if (message.includes('evidence.test=void') && test !== undefined && holdsAt(code, test.sha, head))
      this.#chronicle.breaks(`${issue} was refused for its tests, although its own patch is the same`);
    const review = forge.entries.findLast(({ branch }) => branch === issue)?.reviews.at(-1);
    if (message.includes('(review=none)') && review !== undefined && holdsAt(code, review.sha, head))
      this.#chronicle.breaks(`${issue} was refused for its review, although its own patch is the same`);
  }

  recorded(event: Event): void {
    if (event.type === 'evidence.recorded' && event.kind === 'retro')
      this.#lookedBackAt.set(event.issue, this.#time.elapsed);
  }

  /** Work is looked back on once, until it goes back to be implemented. */
  lookingBack(issue: IssueId): void {
    if (this.#isLookedBackOn(issue)) this.#chronicle.breaks(`${issue} is looked back on a second time`);
  }

  #isLookedBackOn(issue: IssueId): boolean {
    const at = this.#lookedBackAt.get(issue);
    return at !== undefined && at >= (this.#inProgressAt.get(issue) ?? 0);
  }

  /** A board that could not be read whole is not one from which issues have vanished. */
  believed(view: BoardView, { board }: Earth): void {
    if (!view.isRead) return;
    for (const id of board.cards.keys()) {
      if (view.of(id) === undefined) this.#chronicle.breaks(`${id} is on the board and taken for gone`);
    }
  }

  /** Nothing lands untested, unreviewed, with red checks, or twice. */
  landed({ journal, forge, code, board }: Earth, issue: IssueId, sha: string): void {
    this.#chronicle.tell(`${issue} landed as ${sha}`);
    if (this.#merged.has(issue)) this.#chronicle.breaks(`${issue} landed twice`);
    this.#merged.set(issue, sha);
    const { labels } = board.cards.get(issue) ?? {};
    if (labels?.has('feature') === true && !labels.has('human-approved')) {
      this.#chronicle.breaks(`${issue} is a feature and landed without a person's approval`);
    }
    const entry = forge.entries.findLast(({ branch }) => branch === issue);
    const head = entry?.merged?.headSha ?? '';
    const holds = (at: string) => holdsAt(code, at, head);
    const test = lastProof(journal, issue, 'test');
    if (test?.verdict !== 'passed' || !holds(test.sha))
      this.#chronicle.breaks(`${issue} landed without passed tests at its head`);
    if (!this.#isLookedBackOn(issue))
      this.#chronicle.breaks(`${issue} landed without a retro of its last implementation`);
    if (forge.checkedAs(head) === 'failing') this.#chronicle.breaks(`${issue} landed with red checks`);
    const review = entry?.reviews.at(-1);
    if (review?.verdict !== 'approved' || !holds(review.sha))
      this.#chronicle.breaks(`${issue} landed without an approval`);
  }
}

function lastProof({ events }: SimJournal, issue: IssueId, kind: 'test') {
  return events.findLast(
    (event): event is EventOf<'evidence.recorded'> =>
      event.type === 'evidence.recorded' && event.issue === issue && event.kind === kind,
  );
}

/** What the specification says of a proof at an earlier commit, told from the code alone. */
function holdsAt(code: Code, sha: string, head: string): boolean {
  const change = code.since(sha, head);
  return change !== undefined && [...change.own, ...change.overlap].every(isRetroFile);
}

function isRetroFile(file: string): boolean {
  return file.startsWith('docs/solutions/');
}
