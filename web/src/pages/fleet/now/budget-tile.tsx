/** How many requests to the tracker's API are left, and when the limit resets. */

import { span } from '../../../../../src/domain/format.ts';
import type { HealthView } from '../../../../../src/protocol/operator.ts';
import { useNow } from '../../../clock/clock.tsx';
import { moment } from '../../../clock/words.ts';
import { Meter } from './meter.tsx';
import { Tile } from './tile.tsx';

/** Below these shares it is worth a look, and close to an end. */
const LOW = 0.25;
const ALMOST_NONE = 0.1;

export function BudgetTile({ health: { budget, backend } }: { readonly health: HealthView }) {
  if (budget === undefined) {
    return (
      <Tile title="API budget">
        <p className="tile-main">Unlimited</p>
        <p className="faint">
          {backend === 'local'
            ? 'The board is on this machine and uses no API.'
            : 'The service has not reported its limit yet.'}
        </p>
      </Tile>
    );
  }
  const { limit, remaining, resetsAt } = budget;
  const share = limit === 0 ? 0 : remaining / limit;
  const tone = share < ALMOST_NONE ? 'bad' : share < LOW ? 'warn' : 'good';
  return (
    <Tile title="API budget">
      <p className="tile-main">
        <strong className="number">{remaining.toLocaleString('en')}</strong> of{' '}
        <span className="number">{limit.toLocaleString('en')}</span> left
      </p>
      <Meter
        name={`${Math.round(share * 100)} % of the API budget is left`}
        parts={[{ id: 'left', share, tone }]}
      />
      <p className="faint">
        {tone === 'good'
          ? 'Plenty. '
          : tone === 'warn'
            ? 'Low: the board is read less often. '
            : 'Almost used up. '}
        <Resets at={resetsAt} />
      </p>
    </Tile>
  );
}

function Resets({ at }: { readonly at: number }) {
  const words = useNow((now) => (at <= now ? 'It resets now.' : `It resets in ${span(at - now)}.`));
  return <span title={moment(at)}>{words}</span>;
}
