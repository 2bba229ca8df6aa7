/** One thing that happened: when, whose doing, what, and the facts behind it. */
import { memo } from 'react';
import type { StoryEntry } from '../../../../../src/protocol/dashboard.ts';
import { moment, time } from '../../../clock/words.ts';
import { Badge, type Tone } from '../../../components/badge.tsx';
import { plain } from '../../../text/plain.ts';
import { Evidence, Fold } from '../fold.tsx';

export const StoryLine = memo(function StoryLine({ entry }: { readonly entry: StoryEntry }) {
  const { version, at, type, says, by, mode, attempt, evidence } = entry;
  return (
    <li className="story-line" data-entry={version} tabIndex={-1}>
      <time
        className="time faint"
        dateTime={new Date(at).toISOString()}
        title={`${moment(at)}, event ${version}`}
      >
        {time(at)}
      </time>
      <Badge tone={TONES[by]} title={type}>
        {by}
      </Badge>
      <div className="story-says">
        <p>{plain(says)}</p>
        {evidence.length > 0 && (
          <Fold says={`Evidence (${evidence.length})`}>
            <Evidence of={evidence} />
          </Fold>
        )}
      </div>
      <span className="story-life faint">
        {mode}
        {attempt !== undefined && ` #${attempt}`}
      </span>
    </li>
  );
});

const TONES: Readonly<Record<StoryEntry['by'], Tone>> = {
  worker: 'work',
  person: 'accent',
  legion: 'neutral',
  board: 'neutral',
};
