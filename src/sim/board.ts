/** Simulates a board in memory, including the people who edit it. */
import { LegionError } from '../core/model/fault.ts';
import type { IssueId } from '../core/model/ids.ts';
import type { Issue } from '../core/model/issue.ts';
import type { Status } from '../core/model/status.ts';
import type { LocalBoard } from '../ports/board-editor.ts';
import type { IssueComment, NewIssue } from '../ports/tracker.ts';

interface SimCard {
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
  readonly comments: (IssueComment & { readonly key?: string })[];
}

export interface SimBoard extends LocalBoard {
  readonly cards: ReadonlyMap<IssueId, Readonly<SimCard>>;
  /** Whether every issue is Done. */
  readonly isDone: boolean;
}

const CLOSED_COLUMN = 'Closed';

export interface SimBoardOptions {
  readonly now: () => number;
  /** Returns whether a page of the board fails to load. */
  readonly isPageMissing: () => boolean;
  /**
   * Called for every change of column or labels, by Legion or by a person, and for every comment by
   * Legion.
   */
  readonly onMoved: (issue: IssueId, from: string, to: string) => void;
  readonly onRelabelled: (issue: IssueId, add: readonly string[], remove: readonly string[]) => void;
  readonly onComment: (issue: IssueId, key: string, text: string) => void;
}

/** Issues per page. Small, so that small simulated boards have several pages. */
const PAGE_SIZE = 2;

export function createSimBoard({
  now,
  isPageMissing,
  onMoved,
  onRelabelled,
  onComment,
}: SimBoardOptions): SimBoard {
  const cards = new Map<IssueId, SimCard>();
  const listeners = new Set<(issue: IssueId) => void>();
  let comments = 0;

  function requireCard(issue: IssueId): SimCard {
    const card = cards.get(issue);
    if (card === undefined) throw new LegionError('tracker.issue_unknown', `${issue} is not on the board`);
    return card;
  }
  function move(card: SimCard, to: string): void {
    if (card.column === to) return;
    const from = card.column;
    card.column = to;
    card.enteredStatusAt = now();
    onMoved(card.id, from, to);
  }
  function relabel(
    card: SimCard,
    { add, remove }: { add: readonly string[]; remove: readonly string[] },
  ): void {
    for (const label of remove) card.labels.delete(label);
    for (const label of add) card.labels.add(label);
    onRelabelled(card.id, add, remove);
  }
  /** Returns all cards or throws, so that issues on a missing page do not look deleted. */
  function loadPages(): readonly SimCard[] {
    for (let page = 0; page * PAGE_SIZE < cards.size; page += 1) {
      if (isPageMissing())
        throw new LegionError('tracker.unavailable', `page ${page + 1} of the board could not be loaded`);
    }
    return [...cards.values()];
  }
  function addComment(card: SimCard, comment: Omit<SimCard['comments'][number], 'id' | 'at'>): void {
    comments += 1;
    card.comments.push({ ...comment, id: `c${comments}`, at: now() });
  }
  function notify(issue: IssueId): void {
    for (const listener of listeners) listener(issue);
  }
  const isOver = ({ column }: SimCard) => column === 'Done' || column === CLOSED_COLUMN;
  const toIssue = (card: SimCard): Issue => ({
    id: card.id,
    source: { kind: 'local' },
    title: card.title,
    body: card.body,
    column: card.column,
    labels: [...card.labels].sort(),
    priority: card.priority,
    createdAt: card.createdAt,
    enteredStatusAt: card.enteredStatusAt,
    ...(card.parent === undefined ? {} : { parent: card.parent }),
    openBlockers: [...card.blockers].filter((id) => !isOver(requireCard(id))),
  });
  /** Applies a person's edit, then sends the daemon a hint. */
  async function applyEdit(issue: IssueId, work: (card: SimCard) => void): Promise<void> {
    work(requireCard(issue));
    notify(issue);
  }

  return {
    kind: 'local',
    cards,
    get isDone() {
      for (const { column } of cards.values()) if (column !== 'Done') return false;
      return true;
    },
    list: async () => loadPages().map(toIssue),
    read: async (issue) => {
      const card = cards.get(issue);
      return card && toIssue(card);
    },
    commentsSince: async (issue, since) => requireCard(issue).comments.filter(({ at }) => at >= since),
    mayDispatch: () => ({ allowed: true, why: 'everyone has write access to this board' }),
    async write(issue, { moveTo, labels }) {
      const card = requireCard(issue);
      relabel(card, labels);
      if (moveTo !== undefined && card.column !== CLOSED_COLUMN) move(card, moveTo);
    },
    async comment(issue, key, text) {
      const card = requireCard(issue);
      if (card.comments.some((comment) => comment.key === key)) return;
      addComment(card, { key, text, author: 'legion', by: 'legion' });
      onComment(issue, key, text);
    },
    async putComment(issue, key, text) {
      const card = requireCard(issue);
      const at = card.comments.findIndex((comment) => comment.key === key);
      const known = card.comments[at];
      if (known === undefined) addComment(card, { key, text, author: 'legion', by: 'legion' });
      else if (known.text !== text) card.comments[at] = { ...known, text };
      else return;
      onComment(issue, key, text);
    },
    async create(key: string, issue: NewIssue) {
      const existing = [...cards.values()].find((card) => card.key === key);
      if (existing !== undefined) return existing.id;
      const id = `SIM-${cards.size + 1}`;
      cards.set(id, {
        id,
        key,
        title: issue.title,
        body: issue.body,
        column: issue.status,
        labels: new Set(issue.labels),
        priority: issue.priority,
        createdAt: now(),
        enteredStatusAt: now(),
        parent: issue.parent,
        blockers: new Set(issue.blockedBy),
        comments: [],
      });
      return id;
    },
    async close(issue) {
      const card = requireCard(issue);
      if (card.column !== 'Done') move(card, CLOSED_COLUMN);
    },
    edit: (issue, { title, body, priority, labels, blockers }) =>
      applyEdit(issue, (card) => {
        card.title = title ?? card.title;
        card.body = body ?? card.body;
        card.priority = priority ?? card.priority;
        if (labels !== undefined) relabel(card, labels);
        for (const by of blockers?.add ?? []) card.blockers.add(by);
        for (const by of blockers?.remove ?? []) card.blockers.delete(by);
      }),
    relabel: (issue, change) => applyEdit(issue, (card) => relabel(card, change)),
    move: (issue, to: Status) => applyEdit(issue, (card) => move(card, to)),
    say: (issue, author, text) =>
      applyEdit(issue, (card) => addComment(card, { author, text, by: 'writer' })),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispose: async () => undefined,
  };
}
