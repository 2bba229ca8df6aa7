/** Why the issue is where it is in one sentence, and the button that ends the wait or what happens next. */
import { actionInWords } from '../../../../../src/domain/action-in-words.ts';
import type { Explanation } from '../../../../../src/protocol/operator.ts';
import type { Tone } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { Icon, type IconName } from '../../../components/icon.tsx';
import { FaultText, Skeleton } from '../../../components/states.tsx';
import { plain } from '../../../text/plain.ts';
import type { Offer } from '../actions/available-actions.ts';

export interface StatusCardProps {
  readonly explanation: Explanation | undefined;
  readonly error: Error | null;
  /** What ends the wait; undefined where nothing on this page does. */
  readonly end: Offer | undefined;
  readonly isAutomatic: boolean;
  readonly isBusy: boolean;
  /** A box below it has the button. */
  readonly hasBox?: boolean;
  onPerform(offer: Offer): void;
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
  const { tone, icon } = end === undefined ? (LOOKS[state.until.by] ?? OTHER) : WAITING;
  const next = nextStep(state, { end, isAutomatic });
  return (
    <section className={`status-card tone-${tone}`} aria-label="Status">
      <Icon name={icon} size={18} />
      <div className="status-words">
        <p className="status-says">{plain(state.says)}</p>
        {next !== undefined && <p className="status-next">{plain(next)}</p>}
        {end === undefined && state.until.next !== undefined && (
          <p className="status-next">
            In a terminal: <code>{plain(state.until.next)}</code>
          </p>
        )}
      </div>
      {end !== undefined && !hasBox && (
        <Button
          look="main"
          isBusy={isBusy}
          title={end.keys === undefined ? undefined : `${end.says} (${end.keys})`}
          onClick={() => onPerform(end)}
        >
          {end.says}
        </Button>
      )}
    </section>
  );
}

interface Look {
  readonly tone: Tone;
  readonly icon: IconName;
}

const WAITING: Look = { tone: 'warn', icon: 'bell' };
const OTHER: Look = { tone: 'neutral', icon: 'clock' };

const LOOKS: Readonly<Record<string, Look>> = {
  person: WAITING,
  time: OTHER,
  event: { tone: 'work', icon: 'forward' },
  nothing_more: { tone: 'good', icon: 'check' },
};

interface NextStepOptions {
  /** What the button beside the sentence does. */
  readonly end: Offer | undefined;
  readonly isAutomatic: boolean;
}

/** What happens next with an issue, in a sentence. Pure. */
function nextStep(
  { suggestedAction, until }: Explanation['state'],
  { end, isAutomatic }: NextStepOptions,
): string | undefined {
  if (end?.deed === 'mergeRevert')
    return 'It was rolled back: the base branch contains the change until the revert is merged. An approval then lets the work begin again.';
  if (suggestedAction !== 'skip') {
    const step = actionInWords(suggestedAction);
    return isAutomatic
      ? `Next, Legion will ${step}.`
      : `Legion would ${step}, and waits for you because auto-advance is off.`;
  }
  switch (until.by) {
    case 'person':
      return end !== undefined ? undefined : `Waits until ${until.what}.`;
    case 'nothing_more':
      return 'Nothing more happens by itself.';
    default:
      return `Legion continues by itself when ${until.what}.`;
  }
}
