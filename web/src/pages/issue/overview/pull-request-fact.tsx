/** A pull request in a line: its number, and each thing that counts about it with a sign and a word. */
import type { PullRequestView } from '../../../../../src/protocol/board.ts';
import { Badge, type Tone } from '../../../components/badge.tsx';
import { plain } from '../../../text/plain.ts';

interface Said {
  readonly says: string;
  readonly tone: Tone;
}

export function PullRequestFact({ of }: { readonly of: PullRequestView | null }) {
  if (of === null) return <span className="faint">none yet</span>;
  const { number, state, draft, review, ci, mergeable, branch } = of;
  const marks: readonly Said[] =
    state === 'merged'
      ? [{ says: '✓ merged', tone: 'good' }]
      : [...(draft ? [DRAFT] : []), CI[ci], REVIEW[review], MERGE[mergeable]];
  return (
    <span className="issue-pull">
      <strong title={plain(branch)}>#{number}</strong>
      {marks.map(({ says, tone }) => (
        <Badge key={says} tone={tone}>
          {says}
        </Badge>
      ))}
    </span>
  );
}

const DRAFT: Said = { says: 'draft', tone: 'neutral' };

const CI: Readonly<Record<PullRequestView['ci'], Said>> = {
  passing: { says: '✓ CI passing', tone: 'good' },
  failing: { says: '✗ CI failing', tone: 'bad' },
  pending: { says: '… CI pending', tone: 'warn' },
  none: { says: 'no CI', tone: 'neutral' },
  unknown: { says: '? CI unknown', tone: 'warn' },
};

const REVIEW: Readonly<Record<PullRequestView['review'], Said>> = {
  approved: { says: '✓ approved', tone: 'good' },
  changes_requested: { says: '✗ changes requested', tone: 'bad' },
  none: { says: 'no review', tone: 'neutral' },
  unknown: { says: '? review unknown', tone: 'warn' },
};

const MERGE: Readonly<Record<PullRequestView['mergeable'], Said>> = {
  mergeable: { says: '✓ mergeable', tone: 'good' },
  conflicting: { says: '✗ conflicts', tone: 'bad' },
  unknown: { says: '? mergeable', tone: 'warn' },
};
