/** The legion right now: capacity, hosts, whether workers may start, budgets and the daemon. */

import { Link } from 'wouter';
import type { HealthView } from '../../../../../src/protocol/operator.ts';
import { Badge } from '../../../components/badge.tsx';
import { Time } from '../../../components/time.tsx';
import { HaltButton } from '../../../shell/halt.tsx';
import { StartsSwitch } from '../../../shell/health-button.tsx';
import { plain } from '../../../text/plain.ts';
import { BudgetTile } from './budget-tile.tsx';
import { CapacityTile } from './capacity-tile.tsx';
import { LimitsTile } from './limits-tile.tsx';
import { Tile } from './tile.tsx';

export function NowPanel({ health }: { readonly health: HealthView }) {
  const { troubles } = health;
  return (
    <section aria-label="Now">
      {troubles.length > 0 && (
        <p className="trouble">
          <strong>{troubles.length === 1 ? 'One problem' : `${troubles.length} problems`}:</strong>{' '}
          {plain(troubles[0]?.message ?? '')} <Link to="/inbox">See the inbox</Link>
        </p>
      )}
      <div className="tiles">
        <CapacityTile health={health} />
        <StartsTile health={health} />
        <BudgetTile health={health} />
        <LimitsTile health={health} />
        <DaemonTile health={health} />
      </div>
    </section>
  );
}

function StartsTile({ health }: { readonly health: HealthView }) {
  const { starts, autoAdvance } = health;
  return (
    <Tile title="Worker starts">
      <p className="tile-main">
        <Badge tone={starts.allowed ? 'good' : 'warn'}>{starts.allowed ? 'on' : 'off'}</Badge>{' '}
        {starts.allowed
          ? 'Workers may start'
          : starts.kind === 'halt'
            ? 'The legion is halted'
            : 'No worker starts'}
      </p>
      <p className="faint">
        {starts.allowed
          ? startsWhen(autoAdvance)
          : plain(starts.why ?? 'Starts are paused; running workers continue.')}
      </p>
      <div className="tile-foot">
        <StartsSwitch health={health} />
        {starts.kind !== 'halt' && <HaltButton />}
      </div>
    </Tile>
  );
}

function startsWhen(autoAdvance: boolean): string {
  return autoAdvance
    ? 'Starts are paused automatically when many workers die at once.'
    : 'Automatic steps are off: advance an issue to start its next worker.';
}

function DaemonTile({ health }: { readonly health: HealthView }) {
  return (
    <Tile title="Daemon">
      <p className="tile-main">
        Up <Time at={health.startedAt} />
      </p>
      <p className="faint">
        Version {health.version}, pid <span className="number">{health.pid}</span>, epoch {health.epoch}.
        Issues are from {health.backend}, code from {health.forge}.
      </p>
      <p className="faint">
        <span className="number">{health.journalVersion.toLocaleString('en')}</span> events in the journal.
      </p>
    </Tile>
  );
}
