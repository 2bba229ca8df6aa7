/** A card's labels and its pull request. */
import { isLabel, type Label } from '../../../../src/domain/label.ts';
import type { Card } from '../../../../src/protocol/dashboard.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { Icon } from '../../components/icon.tsx';

/** The rest is counted: a card is no list. */
const LABELS_MOST = 3;

/** What the card says in other words already. */
const SAID_OTHERWISE: ReadonlySet<Label> = new Set<Label>([
  'worker-active',
  'worker-done',
  'user-input-needed',
  'user-feedback-given',
  'needs-approval',
  'legion-paused',
]);

const TONES: Readonly<Partial<Record<Label, Tone>>> = {
  'test-passed': 'good',
  'human-approved': 'good',
  'arch-review-approved': 'good',
  'test-failed': 'bad',
  'arch-review-changes': 'bad',
  rollback: 'bad',
};

export function CardMarks({ card: { labels, pullRequest } }: { readonly card: Card }) {
  const telling = labels.filter((label) => !(isLabel(label) && SAID_OTHERWISE.has(label)));
  const rest = telling.slice(LABELS_MOST);
  return (
    <span className="card-marks">
      {pullRequest !== null && <PullRequestMark pullRequest={pullRequest} />}
      {telling.slice(0, LABELS_MOST).map((label) => (
        <Badge key={label} tone={(isLabel(label) ? TONES[label] : undefined) ?? 'neutral'} title={label}>
          {label}
        </Badge>
      ))}
      {rest.length > 0 && (
        <span className="faint" title={rest.join(', ')}>
          +{rest.length}
        </span>
      )}
    </span>
  );
}

type PullRequest = NonNullable<Card['pullRequest']>;

/** The worst thing about it is what counts: one word of it, the rest in its title. */
function PullRequestMark({ pullRequest }: { readonly pullRequest: PullRequest }) {
  const { tone, says } = stateOf(pullRequest);
  const { number, state, ci, review } = pullRequest;
  const title = `Pull request ${number}: ${state}, CI ${ci}, review ${review.replaceAll('_', ' ')}`;
  return (
    <Badge tone={tone} title={title}>
      <Icon name="pull" size={12} />#{number} {says}
    </Badge>
  );
}

function stateOf({ state, ci, review }: PullRequest): { readonly tone: Tone; readonly says: string } {
  if (state === 'merged') return { tone: 'neutral', says: 'merged' };
  if (ci === 'failing') return { tone: 'bad', says: 'CI failing' };
  if (review === 'changes_requested') return { tone: 'bad', says: 'changes' };
  if (ci === 'pending') return { tone: 'warn', says: 'CI pending' };
  if (review === 'approved') return { tone: 'good', says: 'approved' };
  if (ci === 'passing') return { tone: 'good', says: 'CI passing' };
  return { tone: 'neutral', says: state };
}
