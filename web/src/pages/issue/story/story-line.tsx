/** One thing that happened: when, whose doing, what, and the facts behind it. */
import { memo } from 'react';
import { Link } from 'wouter';
import type { StoryEntry } from '../../../../../src/protocol/dashboard.ts';
import { Badge, type Tone } from '../../../components/badge.tsx';
import { EvidenceFold } from '../../../components/evidence.tsx';
import { TimeOfDay } from '../../../components/time.tsx';
import { plain } from '../../../text/plain.ts';
import { transcriptPath } from '../../board/issue-path.ts';

interface StoryLineProps {
  readonly issue: string;
  readonly entry: StoryEntry;
}

export const StoryLine = memo(function StoryLine({ issue, entry }: StoryLineProps) {
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
