/** What may happen to an issue: it goes its way step by step, lands once with everything that belongs to that, and stays on the board. */
import type { BoardView } from '../daemon/board-view.ts';
import type { IssueId } from '../domain/ids.ts';
import type { Chronicle } from './chronicle.ts';
import type { Code } from './code.ts';
import type { Earth } from './earth.ts';

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

  constructor(chronicle: Chronicle) {
    this.#chronicle = chronicle;
  }

  /** No phase is skipped. */
  moved(issue: IssueId, from: string, to: string): void {
    this.#chronicle.tell(`${issue} moved from ${from} to ${to}`);
    if (WAYS[from]?.includes(to) !== true) this.#chronicle.breaks(`${issue} went from ${from} to ${to}`);
    if (to === 'Done' && !this.#merged.has(issue))
      this.#chronicle.breaks(`${issue} is Done and nothing of it has landed`);
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
    const last = (kind: string) =>
      journal.events.findLast(
        (event) => event.type === 'evidence.recorded' && event.issue === issue && event.kind === kind,
      );
    for (const kind of ['test', 'retro']) {
      const proof = last(kind);
      const passed = proof?.type === 'evidence.recorded' && proof.verdict === 'passed' && holds(proof.sha);
      if (!passed) this.#chronicle.breaks(`${issue} landed without a passed ${kind} at its head`);
    }
    if (forge.checkedAs(head) === 'failing') this.#chronicle.breaks(`${issue} landed with red checks`);
    const review = entry?.reviews.at(-1);
    if (review?.verdict !== 'approved' || !holds(review.sha))
      this.#chronicle.breaks(`${issue} landed without an approval`);
  }
}

/** What the specification says of a proof at an earlier commit, told from the code alone. */
function holdsAt(code: Code, sha: string, head: string): boolean {
  const change = code.since(sha, head);
  return change !== undefined && [...change.own, ...change.overlap].every(isRetroFile);
}

function isRetroFile(file: string): boolean {
  return file.startsWith('docs/solutions/');
}
