/**
 * The board: every issue in its column with its worker and what it is waiting for, now or at any
 * past moment.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { formatDuration } from '../../../../src/core/model/format.ts';
import type { DashboardBoard } from '../../../../src/protocol/dashboard.ts';
import { boardQuery, createPastBoardQuery, wholeBoardQuery } from '../../api/queries.ts';
import { PageTitle } from '../../attention/attention.tsx';
import { useNow } from '../../clock/clock.tsx';
import { formatMoment } from '../../clock/format-time.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { ErrorState, Skeleton } from '../../components/states.tsx';
import { useShortcut } from '../../keys/shortcuts.tsx';
import { useQueryFields } from '../../router/location.ts';
import { useSession } from '../../session/session.ts';
import { BoardView, FIRST_COLUMN } from './board-view.tsx';
import { readFilter } from './filter.ts';
import { FilterBar } from './filter-bar.tsx';
import { readMoment, setMoment } from './history/moment.ts';
import { Timeline } from './history/timeline.tsx';
import { useSlider } from './history/use-slider.ts';
import { useMovedCards } from './move.ts';

const NO_CARDS: DashboardBoard['cards'] = [];

export function BoardPage() {
  const fields = useQueryFields();
  const moment = readMoment(fields);
  const filter = useMemo(() => readFilter(fields), [fields]);
  // A search must find every issue, however old.
  const isWhole = fields.get('finished') === 'all' || filter.words.length > 0;
  const recent = useQuery(boardQuery);
  const whole = useQuery({ ...wholeBoardQuery, enabled: isWhole && moment === undefined });
  const present = isWhole && whole.data !== undefined ? whole : recent;
  const past = useQuery({
    ...createPastBoardQuery(moment ?? { version: 0 }),
    enabled: moment !== undefined,
    placeholderData: keepPreviousData,
  });
  const { data: board, error, refetch } = moment === undefined ? present : past;
  const moved = useMovedCards(board?.cards ?? NO_CARDS);
  const [addingTo, setAddingTo] = useState<string | null>(null);
  const mayAdd = useSession().ownBoard && moment === undefined;
  const pastBoard = moment === undefined ? undefined : board;
  const slider = useSlider(moment, pastBoard);
  const pastAt = pastBoard === undefined ? undefined : slider.at;
  const cards = moment === undefined ? moved : (board?.cards ?? NO_CARDS);

  return (
    <div className={moment === undefined ? 'board-page' : 'board-page is-past'}>
      <PageTitle of="Board" />
      <h1 className="unseen">Board</h1>
      {moment !== undefined && <PastBanner at={pastAt} />}
      <FilterBar
        cards={cards}
        filter={filter}
        older={moment === undefined ? (recent.data?.omitted ?? 0) : 0}
        showsOlder={fields.get('finished') === 'all'}
        onAdd={mayAdd ? () => setAddingTo(FIRST_COLUMN) : undefined}
      />
      {board !== undefined ? (
        <BoardView
          cards={cards}
          filter={filter}
          pastAt={pastAt}
          addingTo={addingTo}
          onAdding={mayAdd ? setAddingTo : undefined}
        />
      ) : error !== null ? (
        <div className="board-room">
          <ErrorState title="The board could not be read" error={error} onRetry={() => void refetch()} />
        </div>
      ) : (
        <BoardSkeleton />
      )}
      <Timeline moment={moment} board={pastBoard} slider={slider} />
    </div>
  );
}

/** Number of placeholder cards per column, uneven as on a real board. */
const CARDS = [3, 1, 2, 4, 3, 2, 2, 1, 4];

/** Placeholder for the board: columns and cards of the final size. */
function BoardSkeleton() {
  const { statuses } = useSession();
  return (
    <div className="board-room board" aria-busy="true">
      <p className="unseen" role="status">
        Reading the board
      </p>
      {statuses.map(({ status, column }, index) => (
        <div key={status} className="column" aria-hidden="true">
          <div className="column-head">
            <span className="column-name">{column}</span>
          </div>
          <div className="column-cards skeleton-cards">
            {Array.from({ length: CARDS[index % CARDS.length] ?? 2 }, (_, card) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: placeholder cards have no other key.
              <div key={card} className="card">
                <Skeleton width="30%" height="10px" />
                <Skeleton width="90%" height="12px" />
                <Skeleton width="60%" height="12px" />
              </div>
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}

/** `at` is undefined until the daemon has determined the time of the moment. */
function PastBanner({ at }: { readonly at: number | undefined }) {
  useShortcut({ keys: 'Escape', label: 'Back to now', group: 'The past', run: () => setMoment(undefined) });
  const age = useNow((now) => (at === undefined ? '' : formatDuration(now - at)));
  return (
    <div className="banner past-banner tone-accent">
      <Icon name="clock" />
      <span>
        <strong>You are viewing the past</strong>
        {at !== undefined && <span className="number">{`: ${formatMoment(at)}, ${age} ago`}</span>}. Nothing
        here can be changed.
      </span>
      <Button variant="main" onClick={() => setMoment(undefined)}>
        Back to now
      </Button>
    </div>
  );
}
