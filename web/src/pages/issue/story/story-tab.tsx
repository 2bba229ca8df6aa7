/** Timeline of an issue in plain language, newest first. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { memo, useRef } from 'react';
import { Link } from 'wouter';
import type { StoryEntry } from '../../../../../src/protocol/dashboard.ts';
import { formatMoment } from '../../../clock/format-time.ts';
import { Badge, type Tone } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { EvidenceFold } from '../../../components/evidence.tsx';
import { EmptyState, ErrorState, Refusal, SkeletonLines } from '../../../components/states.tsx';
import { TimeOfDay } from '../../../components/time.tsx';
import { useShortcut } from '../../../keys/shortcuts.tsx';
import { setFields, useQueryFields } from '../../../router/location.ts';
import { toPlainText } from '../../../text/plain.ts';
import { toTranscriptPath } from '../../board/issue-path.ts';
import { createStoryQuery } from '../queries.ts';

const ACTORS: readonly { readonly by: StoryEntry['by']; readonly label: string }[] = [
  { by: 'worker', label: 'Workers' },
  { by: 'person', label: 'People' },
  { by: 'legion', label: 'Legion' },
  { by: 'board', label: 'Board' },
];

export function StoryTab({ id }: { readonly id: string }) {
  const story = useInfiniteQuery(createStoryQuery(id));
  const fields = useQueryFields();
  const requestedBy = fields.get('by');
  const by = ACTORS.find((actor) => actor.by === requestedBy)?.by;
  const isWhole = fields.get('steps') === 'all';
  const list = useRef<HTMLDivElement>(null);
  const step = (by: 1 | -1) => focusEntry(list.current, by);
  useShortcut({ keys: 'j', label: 'Next entry', group: 'Timeline', run: () => step(1) });
  useShortcut({ keys: 'k', label: 'Previous entry', group: 'Timeline', run: () => step(-1) });
  if (story.data === undefined) {
    if (story.error === null) return <SkeletonLines count={10} />;
    return (
      <ErrorState
        title="The timeline could not be read"
        error={story.error}
        onRetry={() => void story.refetch()}
      />
    );
  }
  const all = story.data.pages.flatMap(({ entries }) => entries.toReversed());
  const entries = all.filter((entry) => (by === undefined || entry.by === by) && (isWhole || !entry.routine));
  const days = Map.groupBy(entries, ({ at }) => formatMoment(at).slice(0, DAY_CHARS));
  return (
    <div className="story" ref={list}>
      <fieldset className="chips" aria-label="Filter">
        <Chip label="Everyone" isOn={by === undefined} onChoose={() => setFields({ by: null })} />
        {ACTORS.map((actor) => (
          <Chip
            key={actor.by}
            label={actor.label}
            isOn={actor.by === by}
            onChoose={() => setFields({ by: actor.by })}
          />
        ))}
        <Chip
          label="Every step"
          isOn={isWhole}
          onChoose={() => setFields({ steps: isWhole ? null : 'all' })}
        />
      </fieldset>
      {[...days].map(([day, dayEntries]) => (
        <section key={day} aria-label={day}>
          <h2 className="story-day">{day}</h2>
          <ol className="story-lines">
            {dayEntries.map((entry) => (
              <StoryLine key={entry.version} issue={id} entry={entry} />
            ))}
          </ol>
        </section>
      ))}
      {entries.length === 0 && (
        <EmptyState
          icon="clock"
          title={all.length === 0 ? 'Nothing has happened yet' : 'No matching entries'}
        >
          {all.length === 0
            ? 'Actions of Legion, its workers and people on this issue appear here.'
            : story.hasNextPage && 'Older entries may match.'}
        </EmptyState>
      )}
      {story.isFetchNextPageError && <Refusal error={story.error ?? new Error('')} />}
      {story.hasNextPage && (
        <Button
          className="story-older"
          isBusy={story.isFetchingNextPage}
          onClick={() => void story.fetchNextPage()}
        >
          Show older
        </Button>
      )}
    </div>
  );
}

/** Length of the date in `2026-11-15 08:00:00`. */
const DAY_CHARS = 10;

function Chip({
  label,
  isOn,
  onChoose,
}: {
  readonly label: string;
  readonly isOn: boolean;
  onChoose(): void;
}) {
  return (
    <button type="button" className="chip" aria-pressed={isOn} onClick={onChoose}>
      {label}
    </button>
  );
}

function focusEntry(list: HTMLElement | null, by: 1 | -1): void {
  const entries = [...(list?.querySelectorAll<HTMLElement>('[data-entry]') ?? [])];
  const index = entries.findIndex((entry) => entry.contains(document.activeElement));
  const next = entries[index === -1 ? 0 : Math.min(entries.length - 1, Math.max(0, index + by))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

/** One event: time, actor, description and evidence. */
interface StoryLineProps {
  readonly issue: string;
  readonly entry: StoryEntry;
}

const StoryLine = memo(function StoryLine({ issue, entry }: StoryLineProps) {
  const { version, at, type, says, by, mode, attempt, evidence } = entry;
  return (
    <li className="story-line" data-entry={version} tabIndex={-1}>
      <TimeOfDay at={at} more={`, event ${version}`} />
      <Badge tone={TONES[by]} title={type}>
        {by}
      </Badge>
      <div className="story-says">
        <p>{toPlainText(says)}</p>
        <EvidenceFold of={evidence} />
      </div>
      {mode !== undefined && attempt !== undefined && (
        <Link
          className="story-life faint"
          to={toTranscriptPath(issue, mode, attempt)}
          aria-label={`${mode} #${attempt}, transcript`}
        >
          {mode} #{attempt}
        </Link>
      )}
    </li>
  );
});

const TONES: Readonly<Record<StoryEntry['by'], Tone>> = {
  worker: 'work',
  person: 'accent',
  legion: 'neutral',
  board: 'neutral',
};
