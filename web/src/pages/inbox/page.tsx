/** The inbox: everything that needs a person, with the controls to settle each item in place. */
import { useQuery } from '@tanstack/react-query';
import { useId, useMemo, useState } from 'react';
import type { InboxItem } from '../../../../src/protocol/operator.ts';
import type { HealthView } from '../../../../src/protocol/status.ts';
import { boardQuery, healthQuery, inboxQuery } from '../../api/queries.ts';
import { PageTitle } from '../../attention/attention.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx';
import '../../styles/inbox.css';
import { Link } from 'wouter';
import { isLive } from '../../../../src/core/model/lifecycle.ts';
import type { DashboardCard } from '../../../../src/protocol/dashboard.ts';
import { Time } from '../../components/time.tsx';
import { hasDraft } from '../../drafts/draft.ts';
import { toPlainText } from '../../text/plain.ts';
import { toIssuePath } from '../board/issue-path.ts';
import { ActiveProblems } from './active-problems.tsx';
import { useItemCursor } from './cursor.ts';
import { groupByKind, type InboxGroup, toItemKey } from './groups.ts';
import { ItemView } from './item-view.tsx';

const NONE: readonly InboxItem[] = [];

export function InboxPage() {
  const { data, error, refetch } = useQuery(inboxQuery);
  const { data: health } = useQuery(healthQuery);
  const items = useItems(data ?? NONE);
  const groups = useMemo(() => groupByKind(items.all), [items.all]);
  const keys = useMemo(() => groups.flatMap((group) => group.items.map(toItemKey)), [groups]);
  const { list, onFocus } = useItemCursor(keys);
  // A problem that blocks all worker starts is already an inbox item, so it is not shown again as
  // an active problem.
  const reported = new Set(items.all.filter(({ kind }) => kind === 'problem').map(({ text }) => text));
  const problems = (health?.troubles ?? []).filter(({ message }) => !reported.has(message));
  const isQuiet = data !== undefined && keys.length === 0;
  return (
    <div className="page inbox">
      <PageTitle of="Inbox" />
      <header className="inbox-head">
        <h1>Inbox</h1>
        {keys.length > 0 && (
          <p className="inbox-keys faint">
            <kbd>j</kbd> <kbd>k</kbd> move · <kbd>Enter</kbd> open · <kbd>a</kbd> approve or answer ·{' '}
            <kbd>r</kbd> resume
          </p>
        )}
      </header>
      {problems.length > 0 && <ActiveProblems troubles={problems} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only tracks the focus, to restore it when the item disappears. */}
      <div ref={list} className="inbox-list" tabIndex={-1} onFocus={onFocus}>
        {groups.map((group) => (
          <GroupView key={group.kind} group={group} items={items} />
        ))}
        {isQuiet && <AllQuiet hasTroubles={problems.length > 0} />}
        {data === undefined && error === null && <InboxSkeleton />}
        {data === undefined && error !== null && (
          <ErrorState title="The inbox could not be read" error={error} onRetry={() => void refetch()} />
        )}
      </div>
    </div>
  );
}

/**
 * Number of items that are expanded initially. The daemon reads the board or the forge for each
 * expanded item, so the others load when they are clicked.
 */
const MAX_OPEN_ITEMS = 5;

/** One kind of item, with its count. */
function GroupView({
  group: { label, items: members },
  items,
}: {
  readonly group: InboxGroup;
  readonly items: InboxItems;
}) {
  const id = useId();
  return (
    <section className="inbox-group" aria-labelledby={id}>
      <h2 id={id}>
        {label} <span className="inbox-count">{members.length}</span>
      </h2>
      {members.map((item, index) => (
        <ItemView
          key={toItemKey(item)}
          item={item}
          isOpen={index < MAX_OPEN_ITEMS}
          isOver={items.isOver(item)}
          onDiscard={() => items.discard(item)}
        />
      ))}
    </section>
  );
}

const SKELETON_KEYS = ['one', 'two', 'three'];

/** Placeholder for the inbox before the first response, in its final size. */
function InboxSkeleton() {
  return (
    <div className="inbox-group" aria-busy="true">
      <h2>
        <Skeleton width="7em" />
      </h2>
      {SKELETON_KEYS.map((key) => (
        <div key={key} className="inbox-item">
          <Skeleton width="46%" />
          <Skeleton width="88%" />
          <Skeleton height="52px" />
        </div>
      ))}
      <p className="unseen" role="status">
        Loading
      </p>
    </div>
  );
}

/** Maximum number of running workers that are listed. The board shows all of them. */
const MAX_BUSY_SHOWN = 6;

function AllQuiet({ hasTroubles }: { readonly hasTroubles: boolean }) {
  const { data: board } = useQuery(boardQuery);
  const { data: health } = useQuery(healthQuery);
  const busy = (board?.cards ?? []).filter(({ worker }) => worker !== null && isLive(worker.state));
  return (
    <div className="inbox-quiet">
      <EmptyState icon="check" title={hasTroubles ? 'No issue needs you' : 'Nothing needs you'}>
        {health !== undefined && board !== undefined && describeActivity(busy.length, health)}
      </EmptyState>
      {busy.length > 0 && (
        <ul className="inbox-busy" aria-label="Running now">
          {busy.slice(0, MAX_BUSY_SHOWN).map((card) => (
            <BusyWorker key={card.id} card={card} />
          ))}
          {busy.length > MAX_BUSY_SHOWN && (
            <li className="faint">
              and {busy.length - MAX_BUSY_SHOWN} more <Link to="/?only=working">on the board</Link>
            </li>
          )}
        </ul>
      )}
    </div>
  );
}

function describeActivity(busy: number, { autoAdvance, starts }: HealthView): string {
  if (busy > 0) return `Meanwhile ${busy === 1 ? 'one worker is' : `${busy} workers are`} running.`;
  if (!starts.allowed) return 'Worker starts are paused.';
  if (!autoAdvance) return 'No workers are running. Advance issues by hand: auto-advance is off.';
  return 'No workers are running either. Legion picks up new issues automatically.';
}

function BusyWorker({ card: { id, title, worker } }: { readonly card: DashboardCard }) {
  if (worker === null) return null;
  return (
    <li>
      <span className="dot dot-executing tone-work" aria-hidden="true" />
      <span className="inbox-busy-what">
        <Link to={toIssuePath(id)} dir="auto">
          {toPlainText(title)}
        </Link>
        <span className="faint">
          {id} · {worker.mode}
          {worker.last !== null && ` · ${toPlainText(worker.last.what)}`}
        </span>
      </span>
      <Time at={worker.since} />
    </li>
  );
}

interface InboxItems {
  readonly all: readonly InboxItem[];
  /** True if the item has been settled elsewhere. Its draft is kept until the user discards it. */
  isOver(item: InboxItem): boolean;
  discard(item: InboxItem): void;
}

/**
 * Lists the daemon's items, and the items that were settled elsewhere while the user was writing to
 * them.
 */
function useItems(present: readonly InboxItem[]): InboxItems {
  const [{ before, over }, setKnown] = useState<KnownItems>({ before: present, over: [] });
  if (present !== before)
    setKnown({ before: present, over: findSettledDrafts(present, [...over, ...before]) });
  return {
    all: over.length === 0 ? present : [...present, ...over],
    isOver: (item) => over.some((each) => toItemKey(each) === toItemKey(item)),
    discard: (item) =>
      setKnown((known) => ({
        ...known,
        over: known.over.filter((each) => toItemKey(each) !== toItemKey(item)),
      })),
  };
}

interface KnownItems {
  readonly before: readonly InboxItem[];
  readonly over: readonly InboxItem[];
}

/**
 * Finds settled items that still have a draft. An item leaves the list once its text has been sent,
 * because it has no draft then.
 */
function findSettledDrafts(present: readonly InboxItem[], known: readonly InboxItem[]): readonly InboxItem[] {
  const presentKeys = new Set(present.map(toItemKey));
  const knownByKey = new Map(known.map((item) => [toItemKey(item), item]));
  return [...knownByKey].flatMap(([key, item]) => (!presentKeys.has(key) && hasDraft(key) ? [item] : []));
}
