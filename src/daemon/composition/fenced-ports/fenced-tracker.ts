/** Confirms leadership before each write to the tracker or the local board. */
import type { IssueId } from '../../../core/model/ids.ts';
import type { Issue } from '../../../core/model/issue.ts';
import type { Status } from '../../../core/model/status.ts';
import type { AnyLabelChange, IssueEdit, LocalBoard } from '../../../ports/board-editor.ts';
import type { IssueChange, IssueComment, NewIssue, Tracker } from '../../../ports/tracker.ts';
import type { Leadership } from '../../context/ledger.ts';

export class FencedTracker implements Tracker {
  readonly #tracker: Tracker;
  readonly #leadership: Leadership;
  // Optional methods are declared without a value, so that each stays absent if the tracker lacks
  // it.
  declare readonly attach?: NonNullable<Tracker['attach']>;
  declare readonly posted?: NonNullable<Tracker['posted']>;
  declare readonly missingColumns?: NonNullable<Tracker['missingColumns']>;
  declare readonly budget?: NonNullable<Tracker['budget']>;

  constructor(tracker: Tracker, leadership: Leadership) {
    this.#tracker = tracker;
    this.#leadership = leadership;
    const { attach, posted, missingColumns, budget } = tracker;
    if (attach !== undefined)
      this.attach = async (issue, link) => {
        await leadership.confirm();
        return attach.call(tracker, issue, link);
      };
    if (posted !== undefined) this.posted = (data) => posted.call(tracker, data);
    if (missingColumns !== undefined) this.missingColumns = () => missingColumns.call(tracker);
    if (budget !== undefined) this.budget = () => budget.call(tracker);
  }

  get kind(): Tracker['kind'] {
    return this.#tracker.kind;
  }

  list(signal: AbortSignal): Promise<readonly Issue[]> {
    return this.#tracker.list(signal);
  }

  read(issue: IssueId, signal: AbortSignal): Promise<Issue | undefined> {
    return this.#tracker.read(issue, signal);
  }

  commentsSince(issue: IssueId, since: number, signal: AbortSignal): Promise<readonly IssueComment[]> {
    return this.#tracker.commentsSince(issue, since, signal);
  }

  mayDispatch(issue: Issue): ReturnType<Tracker['mayDispatch']> {
    return this.#tracker.mayDispatch(issue);
  }

  async write(issue: IssueId, change: IssueChange): Promise<void> {
    await this.#leadership.confirm();
    return this.#tracker.write(issue, change);
  }

  async comment(issue: IssueId, key: string, text: string): Promise<void> {
    await this.#leadership.confirm();
    return this.#tracker.comment(issue, key, text);
  }

  async putComment(issue: IssueId, key: string, text: string): Promise<void> {
    await this.#leadership.confirm();
    return this.#tracker.putComment(issue, key, text);
  }

  async create(key: string, issue: NewIssue): Promise<IssueId> {
    await this.#leadership.confirm();
    return this.#tracker.create(key, issue);
  }

  async close(issue: IssueId): Promise<void> {
    await this.#leadership.confirm();
    return this.#tracker.close(issue);
  }

  async move(issue: IssueId, to: Status): Promise<void> {
    await this.#leadership.confirm();
    return this.#tracker.move(issue, to);
  }
}

export class FencedBoardEditor extends FencedTracker implements LocalBoard {
  readonly #board: LocalBoard;
  readonly #leadership: Leadership;

  constructor(board: LocalBoard, leadership: Leadership) {
    super(board, leadership);
    this.#board = board;
    this.#leadership = leadership;
  }

  async edit(issue: IssueId, edit: IssueEdit): Promise<void> {
    await this.#leadership.confirm();
    return this.#board.edit(issue, edit);
  }

  async relabel(issue: IssueId, change: AnyLabelChange): Promise<void> {
    await this.#leadership.confirm();
    return this.#board.relabel(issue, change);
  }

  async say(issue: IssueId, author: string, text: string): Promise<void> {
    await this.#leadership.confirm();
    return this.#board.say(issue, author, text);
  }

  subscribe(listener: (issue: IssueId) => void): () => void {
    return this.#board.subscribe(listener);
  }

  dispose(): Promise<void> {
    return this.#board.dispose();
  }
}
