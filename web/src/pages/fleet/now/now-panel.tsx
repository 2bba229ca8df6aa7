/**
 * The current state of the legion: capacity, hosts, whether workers may start, budgets and the
 * daemon.
 */

import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { formatDuration } from '../../../../../src/core/model/format.ts';
import type { HealthView } from '../../../../../src/protocol/status.ts';
import { workersQuery } from '../../../api/queries.ts';
import { useNow } from '../../../clock/clock.tsx';
import { formatMoment } from '../../../clock/format-time.ts';
import { Badge, type Tone } from '../../../components/badge.tsx';
import { Time } from '../../../components/time.tsx';
import { HaltButton } from '../../../shell/halt.tsx';
import { StartsSwitch } from '../../../shell/health-button.tsx';
import { toPlainText } from '../../../text/plain.ts';
import { listHosts } from './hosts.ts';
import { LimitsTile } from './limits-tile.tsx';
import { Tile } from './tile.tsx';

export function NowPanel({ health }: { readonly health: HealthView }) {
  const { troubles } = health;
  return (
    <section aria-label="Now">
      {troubles.length > 0 && (
        <p className="trouble">
          <strong>{troubles.length === 1 ? 'One problem' : `${troubles.length} problems`}:</strong>{' '}
          {toPlainText(troubles[0]?.message ?? '')} <Link to="/inbox">See the inbox</Link>
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
            : 'No workers can start'}
      </p>
      <p className="faint">
        {starts.allowed
          ? describeStarts(autoAdvance)
          : toPlainText(starts.why ?? 'Starts are paused; running workers continue.')}
      </p>
      <div className="tile-foot">
        <StartsSwitch health={health} />
        {starts.kind !== 'halt' && <HaltButton />}
      </div>
    </Tile>
  );
}

function describeStarts(autoAdvance: boolean): string {
  return autoAdvance
    ? 'Starts are paused automatically when many workers crash at once.'
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

/**
 * If the remaining share of the API budget is below the first value, it is shown as low. Below the
 * second, it is shown as almost used up.
 */
const LOW = 0.25;
const VERY_LOW = 0.1;

function BudgetTile({ health: { budget, backend } }: { readonly health: HealthView }) {
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
  const tone = share < VERY_LOW ? 'bad' : share < LOW ? 'warn' : 'good';
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
  const text = useNow((now) =>
    at <= now ? 'It is resetting now.' : `It resets in ${formatDuration(at - now)}.`,
  );
  return <span title={formatMoment(at)}>{text}</span>;
}

/** Worker slots in total, slots in use, and the hosts. */
function CapacityTile({ health: { workers, host } }: { readonly health: HealthView }) {
  const { live, waiting, stopping = 0, limit } = workers;
  const { data = [] } = useQuery(workersQuery);
  const free = Math.max(0, limit - live - waiting);
  return (
    <Tile title="Capacity">
      <p className="tile-main">
        <strong className="number">{live}</strong> live, <strong className="number">{waiting}</strong>{' '}
        waiting, <strong className="number">{free}</strong> free
        {stopping > 0 && (
          <>
            , <strong className="number">{stopping}</strong> stopping
          </>
        )}
      </p>
      <Meter
        name={`${live} live and ${waiting} waiting workers in ${limit} slots`}
        parts={[
          { id: 'live', share: live / limit, tone: 'work' },
          { id: 'waiting', share: waiting / limit, tone: 'warn' },
        ]}
      />
      <ul className="tile-lines" aria-label="Hosts">
        {listHosts(host, data).map((load) => (
          <li key={load.host}>
            <span>{toPlainText(load.host)}</span>
            <span className="faint number">
              {load.live} live, {load.waiting} waiting
            </span>
          </li>
        ))}
        <li>
          <span>Limit</span>
          <span className="faint number">{limit}</span>
        </li>
      </ul>
    </Tile>
  );
}

interface MeterProps {
  /** Accessible description. */
  readonly name: string;
  /** Shares of the whole, in order. If they add up to more than the whole, the excess is cut off. */
  readonly parts: readonly { readonly id: string; readonly share: number; readonly tone: Tone }[];
}

/** A bar that shows how much of something is used. The text beside the bar states the same. */
function Meter({ name, parts }: MeterProps) {
  return (
    <div className="meter" role="img" aria-label={name}>
      {parts.map(({ id, share, tone }) => (
        <span key={id} className={`meter-part tone-${tone}`} style={{ width: `${toPercent(share)}%` }} />
      ))}
    </div>
  );
}

function toPercent(share: number): number {
  return Number.isFinite(share) ? Math.max(0, Math.min(1, share)) * 100 : 0;
}
