/** The inbox: everything that waits for a person, each with what is needed to settle it on the spot. */
import { useQuery } from '@tanstack/react-query';
import { useId, useMemo } from 'react';
import type { HealthView, InboxItem } from '../../../../src/protocol/operator.ts';
import { boardQuery, healthQuery, inboxQuery } from '../../api/queries.ts';
import { PageTitle } from '../../attention/attention.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx';
import '../../styles/inbox.css';
import { useState } from 'react';
import { Link } from 'wouter';
import { isLive } from '../../../../src/domain/lifecycle.ts';
import type { Card } from '../../../../src/protocol/dashboard.ts';
import { Time } from '../../components/time.tsx';
import { hasDraft } from '../../drafts/draft.ts';
import { plain } from '../../text/plain.ts';
import { issuePath } from '../board/issue-path.ts';
import { Troubles } from './active-problems.tsx';
import { useItemCursor } from './cursor.ts';
import { type Group, groupsOf, keyOf } from './groups.ts';
import { ItemView } from './item-view.tsx';

const NONE: readonly InboxItem[] = [];

export function InboxPage() {
  const { data, error, refetch } = useQuery(inboxQuery);
  const { data: health } = useQuery(healthQuery);
  const items = useItems(data ?? NONE);
  const groups = useMemo(() => groupsOf(items.all), [items.all]);
  const keys = useMemo(() => groups.flatMap((group) => group.items.map(keyOf)), [groups]);
  const { list, onFocus } = useItemCursor(keys);
  // A problem that stops every start is an item of its own; one report of it is enough.
  const reported = new Set(items.all.filter(({ kind }) => kind === 'problem').map(({ text }) => text));
  const troubles = (health?.troubles ?? []).filter(({ message }) => !reported.has(message));
  const isQuiet = data !== undefined && keys.length === 0;
  return (
    <div className="page inbox">
      <PageTitle of="Inbox" />
      <header className="inbox-head">
        <h1>Inbox</h1>
        {keys.length > 0 && (
          <p className="inbox-keys faint">
            <kbd>j</kbd> <kbd>k</kbd> move · <kbd>Enter</kbd> opens · <kbd>a</kbd> approve or answer ·{' '}
            <kbd>r</kbd> resume
          </p>
        )}
      </header>
      {troubles.length > 0 && <Troubles troubles={troubles} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only remembers where the focus is, for when that item leaves. */}
      <div ref={list} className="inbox-list" tabIndex={-1} onFocus={onFocus}>
        {groups.map((group) => (
          <GroupView key={group.kind} group={group} items={items} />
        ))}
        {isQuiet && <AllQuiet hasTroubles={troubles.length > 0} />}
        {data === undefined && error === null && <InboxSkeleton />}
        {data === undefined && error !== null && (
          <ErrorState title="The inbox could not be read" error={error} onRetry={() => void refetch()} />
        )}
      </div>
    </div>
  );
}

/** What belongs to the first ones is shown at once; the daemon reads the board or the forge for each, so the rest waits for a click. */
const OPEN_MOST = 5;

/** One kind of what waits, with how much of it there is. */
function GroupView({
  group: { says, items: members },
  items,
}: {
  readonly group: Group;
  readonly items: Items;
}) {
  const id = useId();
  return (
    <section className="inbox-group" aria-labelledby={id}>
      <h2 id={id}>
        {says} <span className="inbox-count">{members.length}</span>
      </h2>
      {members.map((item, index) => (
        <ItemView
          key={keyOf(item)}
          item={item}
          isOpen={index < OPEN_MOST}
          isOver={items.isOver(item)}
          onDiscard={() => items.discard(item)}
        />
      ))}
    </section>
  );
}

const PLACES = ['one', 'two', 'three'];

/** The inbox before its first answer, in the sizes it will have. */
function InboxSkeleton() {
  return (
    <div className="inbox-group" aria-busy="true">
      <h2>
        <Skeleton width="7em" />
      </h2>
      {PLACES.map((place) => (
        <div key={place} className="inbox-item">
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

/** Enough to see that it lives; the board has all of them. */
const SHOWN_MOST = 6;

function AllQuiet({ hasTroubles }: { readonly hasTroubles: boolean }) {
  const { data: board } = useQuery(boardQuery);
  const { data: health } = useQuery(healthQuery);
  const busy = (board?.cards ?? []).filter(({ worker }) => worker !== null && isLive(worker.state));
  return (
    <div className="inbox-quiet">
      <EmptyState icon="check" title={hasTroubles ? 'No issue needs you' : 'Nothing needs you'}>
        {health !== undefined && board !== undefined && doing(busy.length, health)}
      </EmptyState>
      {busy.length > 0 && (
        <ul className="inbox-busy" aria-label="At work now">
          {busy.slice(0, SHOWN_MOST).map((card) => (
            <Busy key={card.id} card={card} />
          ))}
          {busy.length > SHOWN_MOST && (
            <li className="faint">
              and {busy.length - SHOWN_MOST} more <Link to="/?only=working">on the board</Link>
            </li>
          )}
        </ul>
      )}
    </div>
  );
}

function doing(busy: number, { autoAdvance, starts }: HealthView): string {
  if (busy > 0) return `Meanwhile ${busy === 1 ? 'one worker is' : `${busy} workers are`} at work.`;
  if (!starts.allowed) return 'No worker is started at present.';
  if (!autoAdvance) return 'No worker is at work. This legion takes a step only when it is told to.';
  return 'No worker is at work either. An issue that comes to the board is taken up by itself.';
}

function Busy({ card: { id, title, worker } }: { readonly card: Card }) {
  if (worker === null) return null;
  return (
    <li>
      <span className="dot dot-executing tone-work" aria-hidden="true" />
      <span className="inbox-busy-what">
        <Link to={issuePath(id)} dir="auto">
          {plain(title)}
        </Link>
        <span className="faint">
          {id} · {worker.mode}
          {worker.last !== null && ` · ${plain(worker.last.what)}`}
        </span>
      </span>
      <Time at={worker.since} />
    </li>
  );
}

interface Items {
  readonly all: readonly InboxItem[];
  /** Nothing waits for it any more; what was written is kept until it is discarded. */
  isOver(item: InboxItem): boolean;
  discard(item: InboxItem): void;
}

/** Lists the daemon's items and those settled elsewhere while the user was writing to them. */
function useItems(present: readonly InboxItem[]): Items {
  const [{ before, over }, setKnown] = useState<Known>({ before: present, over: [] });
  if (present !== before) setKnown({ before: present, over: overNow(present, [...over, ...before]) });
  return {
    all: over.length === 0 ? present : [...present, ...over],
    isOver: (item) => over.some((each) => keyOf(each) === keyOf(item)),
    discard: (item) =>
      setKnown((known) => ({ ...known, over: known.over.filter((each) => keyOf(each) !== keyOf(item)) })),
  };
}

interface Known {
  readonly before: readonly InboxItem[];
  readonly over: readonly InboxItem[];
}

/** What was sent has no draft any more, and leaves. */
function overNow(present: readonly InboxItem[], known: readonly InboxItem[]): readonly InboxItem[] {
  const there = new Set(present.map(keyOf));
  const gone = new Map(known.map((item) => [keyOf(item), item]));
  return [...gone].flatMap(([key, item]) => (!there.has(key) && hasDraft(key) ? [item] : []));
}
