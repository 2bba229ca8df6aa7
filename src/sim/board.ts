/** A board in memory: the tracker's truth, and the hands of the people who edit it. */
import { LegionError } from '../core/model/fault.ts';
import type { IssueId } from '../core/model/ids.ts';
import type { Status } from '../core/model/status.ts';
import type { Issue } from '../domain/issue.ts';
import type { LocalBoard } from '../ports/board-editor.ts';
import type { Comment, NewIssue } from '../ports/tracker.ts';

interface Card {
  readonly id: IssueId;
  readonly key: string;
  title: string;
  body: string;
  column: string;
  labels: Set<string>;
  priority: Issue['priority'];
  readonly createdAt: number;
  enteredStatusAt: number;
  readonly parent: IssueId | undefined;
  readonly blockers: Set<IssueId>;
  readonly comments: (Comment & { readonly key?: string })[];
}

export interface SimBoard extends LocalBoard {
  readonly cards: ReadonlyMap<IssueId, Readonly<Card>>;
  /** Whether every issue is. */
  readonly isDone: boolean;
}

const CLOSED = 'Closed';

export interface BoardOptions {
  readonly now: () => number;
  /** Whether a page of the board does not come. */
  readonly isPageMissing: () => boolean;
  /** Hear of every change of column and labels, whoever made it, and of every comment of ours. */
  readonly moved: (issue: IssueId, from: string, to: string) => void;
  readonly relabelled: (issue: IssueId, add: readonly string[], remove: readonly string[]) => void;
  readonly told: (issue: IssueId, key: string, text: string) => void;
}

/** Issues. Real ones are longer; so are the boards. */
const PAGE = 2;

export function simBoard({ now, isPageMissing, moved, relabelled, told }: BoardOptions): SimBoard {
  const cards = new Map<IssueId, Card>();
  const listeners = new Set<(issue: IssueId) => void>();
  let comments = 0;

  function card(issue: IssueId): Card {
    const found = cards.get(issue);
    if (found === undefined) throw new LegionError('tracker.issue_unknown', `${issue} is not on the board`);
    return found;
  }
  function move(of: Card, to: string): void {
    if (of.column === to) return;
    const from = of.column;
    of.column = to;
    of.enteredStatusAt = now();
    moved(of.id, from, to);
  }
  function relabel(of: Card, { add, remove }: { add: readonly string[]; remove: readonly string[] }): void {
    for (const label of remove) of.labels.delete(label);
    for (const label of add) of.labels.add(label);
    relabelled(of.id, add, remove);
  }
  /** Whole or an error: what is on a page that did not come has not vanished. */
  function pages(): readonly Card[] {
    for (let page = 0; page * PAGE < cards.size; page += 1) {
      if (isPageMissing())
        throw new LegionError('tracker.unavailable', `page ${page + 1} of the board did not come`);
    }
    return [...cards.values()];
  }
  function say(of: Card, comment: Omit<Card['comments'][number], 'id' | 'at'>): void {
    comments += 1;
    of.comments.push({ ...comment, id: `c${comments}`, at: now() });
  }
  function hint(issue: IssueId): void {
    for (const listener of listeners) listener(issue);
  }
  const isOver = ({ column }: Card) => column === 'Done' || column === CLOSED;
  const issueOf = (of: Card): Issue => ({
    ...{ id: of.id, source: { kind: 'local' }, title: of.title, body: of.body, column: of.column },
    ...{ labels: [...of.labels].sort(), priority: of.priority, createdAt: of.createdAt },
    enteredStatusAt: of.enteredStatusAt,
    ...(of.parent === undefined ? {} : { parent: of.parent }),
    openBlockers: [...of.blockers].filter((id) => !isOver(card(id))),
  });
  /** A person's edit: done, then hinted at. */
  async function edited(issue: IssueId, work: (of: Card) => void): Promise<void> {
    work(card(issue));
    hint(issue);
  }

  return {
    kind: 'local',
    cards,
    get isDone() {
      for (const { column } of cards.values()) if (column !== 'Done') return false;
      return true;
    },
    list: async () => pages().map(issueOf),
    read: async (issue) => {
      const found = cards.get(issue);
      return found && issueOf(found);
    },
    commentsSince: async (issue, since) => card(issue).comments.filter(({ at }) => at >= since),
    mayDispatch: () => ({ allowed: true, why: 'everybody here may write' }),
    async write(issue, { moveTo, labels }) {
      const of = card(issue);
      relabel(of, labels);
      if (moveTo !== undefined && of.column !== CLOSED) move(of, moveTo);
    },
    async comment(issue, key, text) {
      const of = card(issue);
      if (of.comments.some((comment) => comment.key === key)) return;
      say(of, { key, text, author: 'legion', by: 'legion' });
      told(issue, key, text);
    },
    async create(key: string, issue: NewIssue) {
      const same = [...cards.values()].find((of) => of.key === key);
      if (same !== undefined) return same.id;
      const id = `SIM-${cards.size + 1}`;
      cards.set(id, {
        ...{
          id,
          key,
          title: issue.title,
          body: issue.body,
          column: issue.status,
          labels: new Set(issue.labels),
        },
        ...{ priority: issue.priority, createdAt: now(), enteredStatusAt: now(), parent: issue.parent },
        ...{ blockers: new Set(issue.blockedBy), comments: [] },
      });
      return id;
    },
    async close(issue) {
      const of = card(issue);
      if (of.column !== 'Done') move(of, CLOSED);
    },
    edit: (issue, { title, body, priority, labels, blockers }) =>
      edited(issue, (of) => {
        of.title = title ?? of.title;
        of.body = body ?? of.body;
        of.priority = priority ?? of.priority;
        if (labels !== undefined) relabel(of, labels);
        for (const by of blockers?.add ?? []) of.blockers.add(by);
        for (const by of blockers?.remove ?? []) of.blockers.delete(by);
      }),
    relabel: (issue, change) => edited(issue, (of) => relabel(of, change)),
    move: (issue, to: Status) => edited(issue, (of) => move(of, to)),
    say: (issue, author, text) => edited(issue, (of) => say(of, { author, text, by: 'writer' })),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispose: async () => undefined,
  };
}
