/** One issue as a card: what a person wants to know of it without opening it. */

import { type DragEvent, type MouseEvent, memo } from 'react';
import { Link } from 'wouter';
import { isLabel, type Label } from '../../../../src/domain/label.ts';
import type { Card } from '../../../../src/protocol/dashboard.ts';
import { Badge, type Tone } from '../../components/badge.tsx';
import { IconButton } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { Money } from '../../components/money.tsx';
import { Time } from '../../components/time.tsx';
import { plain } from '../../text/plain.ts';
import type { OpenMenu } from './card-menu.tsx';
import { CardWork } from './card-work.tsx';
import { issuePath } from './issue-path.ts';
import { PriorityMark } from './priority-mark.tsx';

interface CardViewProps {
  readonly card: Card;
  readonly asOf: number | undefined;
  /** Undefined where nothing can be moved. */
  readonly onDrag: ((card: Card | null) => void) | undefined;
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
      <Link to={issuePath(id)} className="card-title" data-card={id} draggable={false} dir="auto">
        {plain(title)}
      </Link>
      <CardWork card={card} asOf={asOf} />
      <div className="card-foot">
        <CardMarks card={card} />
        {spentUsd > 0 && <Money usd={spentUsd} />}
      </div>
    </article>
  );
});

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

function CardMarks({ card: { labels, pullRequest } }: { readonly card: Card }) {
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
