/** One issue as a card. */

import { type DragEvent, type MouseEvent, memo } from 'react';
import { Link } from 'wouter';
import { isLabel, type Label } from '../../../../src/core/model/label.ts';
import type { DashboardCard } from '../../../../src/protocol/dashboard.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { IconButton } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Money } from '../../components/money.tsx';
import { Time } from '../../components/time.tsx';
import { toPlainText } from '../../text/plain.ts';
import { CardWork } from './card-work.tsx';
import { toIssuePath } from './issue-path.ts';
import { PriorityMark } from './priority-mark.tsx';

/** A request to open the menu of a card. */
export interface OpenMenu {
  readonly card: DashboardCard;
  readonly anchor: HTMLElement;
  /** True if the key `m` opened the menu. The menu then starts with the list of columns. */
  readonly isMoving: boolean;
}

interface CardViewProps {
  readonly card: DashboardCard;
  readonly asOf: number | undefined;
  /** Undefined if cards cannot be moved. */
  readonly onDrag: ((card: DashboardCard | null) => void) | undefined;
  readonly onMenu: ((open: OpenMenu) => void) | undefined;
}

export const CardView = memo(function CardView({ card, asOf, onDrag, onMenu }: CardViewProps) {
  const { id, title, priority, needsYou, since, spentUsd } = card;
  const begin = (event: DragEvent) => {
    event.dataTransfer.setData('text/plain', id);
    event.dataTransfer.effectAllowed = 'move';
    onDrag?.(card);
  };
  const openMenu = ({ currentTarget }: MouseEvent<HTMLElement>) =>
    onMenu?.({ card, anchor: currentTarget, isMoving: false });
  return (
    <article
      className={needsYou ? 'card needs-you' : 'card'}
      data-in-card={id}
      draggable={onDrag !== undefined}
      onDragStart={begin}
      onDragEnd={() => onDrag?.(null)}
    >
      <div className="card-head">
        <span className="card-name">
          <PriorityMark priority={priority} />
          <span className="card-id">{id}</span>
        </span>
        {needsYou && (
          <span className="card-needs">
            <Icon name="bell" size={13} /> needs you
          </span>
        )}
        {since !== null && (
          <span className="card-since">
            <Time at={since} asOf={asOf} />
            <span className="unseen"> in this column</span>
          </span>
        )}
        {onMenu !== undefined && (
          <IconButton
            icon="more"
            name={`Actions for ${id}`}
            className="card-more"
            aria-haspopup="menu"
            onClick={openMenu}
          />
        )}
      </div>
      <Link to={toIssuePath(id)} className="card-title" data-card={id} draggable={false} dir="auto">
        {toPlainText(title)}
      </Link>
      <CardWork card={card} asOf={asOf} />
      <div className="card-foot">
        <CardMarks card={card} />
        {spentUsd > 0 && <Money usd={spentUsd} />}
      </div>
    </article>
  );
});

/** Maximum number of labels on a card. The other labels are only counted. */
const MAX_LABELS = 3;

/** Labels that the card already shows in another form. */
const LABELS_SHOWN_ELSEWHERE: ReadonlySet<Label> = new Set<Label>([
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

function CardMarks({ card: { labels, pullRequest } }: { readonly card: DashboardCard }) {
  const shownLabels = labels.filter((label) => !(isLabel(label) && LABELS_SHOWN_ELSEWHERE.has(label)));
  const rest = shownLabels.slice(MAX_LABELS);
  return (
    <span className="card-marks">
      {pullRequest !== null && <PullRequestMark pullRequest={pullRequest} />}
      {shownLabels.slice(0, MAX_LABELS).map((label) => (
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

type PullRequest = NonNullable<DashboardCard['pullRequest']>;

/** Shows the most severe state of the pull request as one word, and all states in the tooltip. */
function PullRequestMark({ pullRequest }: { readonly pullRequest: PullRequest }) {
  const { tone, label } = describePullRequest(pullRequest);
  const { number, state, ci, review } = pullRequest;
  const title = `Pull request ${number}: ${state}, CI ${ci}, review ${review.replaceAll('_', ' ')}`;
  return (
    <Badge tone={tone} title={title}>
      <Icon name="pull" size={12} />#{number} {label}
    </Badge>
  );
}

function describePullRequest({ state, ci, review }: PullRequest): {
  readonly tone: Tone;
  readonly label: string;
} {
  if (state === 'merged') return { tone: 'neutral', label: 'merged' };
  if (ci === 'failing') return { tone: 'bad', label: 'CI failing' };
  if (ci === 'timed_out') return { tone: 'bad', label: 'CI timed out' };
  if (ci === 'interrupted') return { tone: 'bad', label: 'CI interrupted' };
  if (ci === 'action_required') return { tone: 'bad', label: 'CI needs you' };
  if (review === 'changes_requested') return { tone: 'bad', label: 'changes' };
  if (ci === 'pending') return { tone: 'warn', label: 'CI pending' };
  if (review === 'approved') return { tone: 'good', label: 'approved' };
  if (ci === 'passing') return { tone: 'good', label: 'CI passing' };
  return { tone: 'neutral', label: state };
}
