/** Says plainly that this is not now, and the way back. */

import { span } from '../../../../../src/domain/span.ts';
import { useNow } from '../../../clock/clock.tsx';
import { moment } from '../../../clock/words.ts';
import { Button } from '../../../components/button.tsx';
import { Icon } from '../../../components/icon.tsx';
import { useShortcut } from '../../../keys/shortcuts.tsx';
import { lookAt } from './moment.ts';

/** `at` is undefined until the daemon has found the moment. */
export function PastBanner({ at }: { readonly at: number | undefined }) {
  useShortcut({ keys: 'Escape', says: 'Back to now', group: 'The past', run: () => lookAt(undefined) });
  const age = useNow((now) => (at === undefined ? '' : span(now - at)));
  return (
    <div className="banner past-banner tone-accent">
      <Icon name="clock" />
      <span>
        <strong>You are viewing the past</strong>
        {at !== undefined && <span className="number">{`: ${moment(at)}, ${age} ago`}</span>}. Nothing here
        can be changed.
      </span>
      <Button look="main" onClick={() => lookAt(undefined)}>
        Back to now
      </Button>
    </div>
  );
}
