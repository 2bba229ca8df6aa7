/** What happened to an issue, newest first, in plain words. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { memo, useRef } from 'react';
import { Link } from 'wouter';
import type { StoryEntry } from '../../../../../src/protocol/dashboard.ts';
import { moment } from '../../../clock/words.ts';
import { Badge, type Tone } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { EvidenceFold } from '../../../components/evidence.tsx';
import { EmptyState, ErrorState, Refusal, SkeletonLines } from '../../../components/states.tsx';
import { TimeOfDay } from '../../../components/time.tsx';
import { useShortcut } from '../../../keys/shortcuts.tsx';
import { setFields, useQueryFields } from '../../../router/location.ts';
import { plain } from '../../../text/plain.ts';
import { transcriptPath } from '../../board/issue-path.ts';
import { storyQuery } from '../queries.ts';

const DOERS: readonly { readonly by: StoryEntry['by']; readonly says: string }[] = [
  { by: 'worker', says: 'Workers' },
  { by: 'person', says: 'People' },
  { by: 'legion', says: 'Legion' },
  { by: 'board', says: 'Board' },
];

export function StoryTab({ id }: { readonly id: string }) {
  const story = useInfiniteQuery(storyQuery(id));
  const fields = useQueryFields();
  const asked = fields.get('by');
  const by = DOERS.find((doer) => doer.by === asked)?.by;
  const isWhole = fields.get('steps') === 'all';
  const list = useRef<HTMLDivElement>(null);
  const step = (by: 1 | -1) => stepIn(list.current, by);
  useShortcut({ keys: 'j', says: 'Next entry', group: 'Timeline', run: () => step(1) });
  useShortcut({ keys: 'k', says: 'Previous entry', group: 'Timeline', run: () => step(-1) });
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
  const days = Map.groupBy(entries, ({ at }) => moment(at).slice(0, DAY_CHARS));
  return (
    <div className="story" ref={list}>
      <fieldset className="chips" aria-label="What is shown">
        <Chip says="Everybody" isOn={by === undefined} onChoose={() => setFields({ by: null })} />
        {DOERS.map((doer) => (
          <Chip
            key={doer.by}
            says={doer.says}
            isOn={doer.by === by}
            onChoose={() => setFields({ by: doer.by })}
          />
        ))}
        <Chip
          says="Every step"
          isOn={isWhole}
          onChoose={() => setFields({ steps: isWhole ? null : 'all' })}
        />
      </fieldset>
      {[...days].map(([day, those]) => (
        <section key={day} aria-label={day}>
          <h2 className="story-day">{day}</h2>
          <ol className="story-lines">
            {those.map((entry) => (
              <StoryLine key={entry.version} issue={id} entry={entry} />
            ))}
          </ol>
        </section>
      ))}
      {entries.length === 0 && (
        <EmptyState
          icon="clock"
          title={all.length === 0 ? 'Nothing has happened yet' : 'Nothing of that here'}
        >
          {all.length === 0
            ? 'What Legion, its workers and people do with this issue shows here.'
            : story.hasNextPage && 'There may be something among the older entries.'}
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

/** Of `2026-11-15 08:00:00`. */
const DAY_CHARS = 10;

function Chip({ says, isOn, onChoose }: { readonly says: string; readonly isOn: boolean; onChoose(): void }) {
  return (
    <button type="button" className="chip" aria-pressed={isOn} onClick={onChoose}>
      {says}
    </button>
  );
}

function stepIn(list: HTMLElement | null, by: 1 | -1): void {
  const entries = [...(list?.querySelectorAll<HTMLElement>('[data-entry]') ?? [])];
  const here = entries.findIndex((entry) => entry.contains(document.activeElement));
  const next = entries[here === -1 ? 0 : Math.min(entries.length - 1, Math.max(0, here + by))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

/** One thing that happened: when, whose doing, what, and the facts behind it. */
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
        <p>{plain(says)}</p>
        <EvidenceFold of={evidence} />
      </div>
      {mode !== undefined && attempt !== undefined && (
        <Link
          className="story-life faint"
          to={transcriptPath(issue, mode, attempt)}
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
