/**
 * Explains in one sentence why the issue is in its current state, and shows the button that ends
 * the wait, or the next step.
 */
import { describeAction } from '../../../../../src/core/model/action.ts';
import type { IssueExplanation } from '../../../../../src/protocol/operator.ts';
import type { Tone } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { Icon, type IconName } from '../../../components/icon.tsx';
import { FaultText, Skeleton } from '../../../components/states.tsx';
import { toPlainText } from '../../../text/plain.ts';
import type { AvailableAction } from '../actions/available-actions.ts';

export interface StatusCardProps {
  readonly explanation: IssueExplanation | undefined;
  readonly error: Error | null;
  /** Action that ends the wait. Undefined if no action on this page can end it. */
  readonly end: AvailableAction | undefined;
  readonly isAutomatic: boolean;
  readonly isBusy: boolean;
  /** Whether a box below this card already contains the button for that action. */
  readonly hasBox?: boolean;
  onPerform(action: AvailableAction): void;
}

export function StatusCard(props: StatusCardProps) {
  const { explanation, error, end, isAutomatic, isBusy, hasBox = false, onPerform } = props;
  if (explanation === undefined)
    return (
      <section className="status-card tone-neutral" aria-label="Status">
        {error === null ? <Skeleton width="min(360px, 70%)" /> : <FaultText error={error} />}
      </section>
    );
  const { state } = explanation;
  const { tone, icon } = end === undefined ? (CARD_STYLES[state.until.by] ?? OTHER) : WAITING;
  const next = describeNextStep(state, { end, isAutomatic });
  return (
    <section className={`status-card tone-${tone}`} aria-label="Status">
      <Icon name={icon} size={18} />
      <div className="status-words">
        <p className="status-says">{toPlainText(state.says)}</p>
        {next !== undefined && <p className="status-next">{toPlainText(next)}</p>}
        {end === undefined && state.until.next !== undefined && (
          <p className="status-next">
            In a terminal: <code>{toPlainText(state.until.next)}</code>
          </p>
        )}
      </div>
      {end !== undefined && !hasBox && (
        <Button
          variant="main"
          isBusy={isBusy}
          title={end.keys === undefined ? undefined : `${end.label} (${end.keys})`}
          onClick={() => onPerform(end)}
        >
          {end.label}
        </Button>
      )}
    </section>
  );
}

interface CardStyle {
  readonly tone: Tone;
  readonly icon: IconName;
}

const WAITING: CardStyle = { tone: 'warn', icon: 'bell' };
const OTHER: CardStyle = { tone: 'neutral', icon: 'clock' };

const CARD_STYLES: Readonly<Record<string, CardStyle>> = {
  person: WAITING,
  time: OTHER,
  event: { tone: 'work', icon: 'forward' },
  nothing_more: { tone: 'good', icon: 'check' },
};

interface NextStepOptions {
  /** Action of the button beside the sentence. */
  readonly end: AvailableAction | undefined;
  readonly isAutomatic: boolean;
}

/** Describes the next step of an issue in a sentence. Pure. */
function describeNextStep(
  { suggestedAction, until }: IssueExplanation['state'],
  { end, isAutomatic }: NextStepOptions,
): string | undefined {
  if (end?.action === 'mergeRevert')
    return 'It was rolled back: the base branch contains the change until the revert is merged. An approval then restarts the work.';
  if (suggestedAction !== 'skip') {
    const step = describeAction(suggestedAction);
    return isAutomatic
      ? `Next, Legion will ${step}.`
      : `Legion would ${step}, but is waiting for you because auto-advance is off.`;
  }
  switch (until.by) {
    case 'person':
      return end !== undefined ? undefined : `Waiting until ${until.what}.`;
    case 'nothing_more':
      return 'No further automatic steps.';
    default:
      return `Legion continues automatically when ${until.what}.`;
  }
}
