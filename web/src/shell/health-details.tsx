/** Everything the daemon reports about itself. */
import type { HealthView } from '../../../src/protocol/operator.ts';
import { CommandText } from '../components/command-text.tsx';
import { Fact } from '../components/fact.tsx';
import { Time } from '../components/time.tsx';
import type { Connection } from '../live/live.tsx';

const CONNECTION_WORDS: Readonly<Record<Connection, string>> = {
  connecting: 'connecting',
  live: 'live: changes show at once',
  away: 'reconnecting: the daemon does not answer',
};

interface HealthDetailsProps {
  readonly health: HealthView;
  readonly connection: Connection;
}

export function HealthDetails({ health, connection }: HealthDetailsProps) {
  const { workers, starts, troubles, budget } = health;
  return (
    <>
      {troubles.map(({ code, message, next, since }) => (
        <div key={code + message} className="trouble">
          <p>
            <CommandText text={message} />
          </p>
          <p className="fault-next">
            <CommandText text={next} /> <code className="faint">{code}</code>,{' '}
            <Time at={since} suffix=" ago" />
          </p>
        </div>
      ))}
      <dl className="facts">
        <Fact name="This page">{CONNECTION_WORDS[connection]}</Fact>
        <Fact name="Workers">
          {workers.live} live, {workers.waiting} waiting,{' '}
          {(workers.stopping ?? 0) > 0 && `${workers.stopping} stopping, `}at most {workers.limit}
        </Fact>
        <Fact name="Starts">
          {/* A status, because notices are hidden behind the dialog. */}
          <span role="status">{starts.allowed ? 'allowed' : (starts.why ?? 'paused')}</span>
        </Fact>
        <Fact name="Automatic steps">{health.autoAdvance ? 'on' : 'off: advance issues by hand'}</Fact>
        <Fact name="Issues">{health.backend}</Fact>
        <Fact name="Code">{health.forge}</Fact>
        {budget !== undefined && (
          <Fact name="API budget">
            {budget.remaining} of {budget.limit}
          </Fact>
        )}
        <Fact name="Daemon">
          version {health.version} on {health.host}, pid {health.pid}, up <Time at={health.startedAt} />
        </Fact>
        <Fact name="Journal">{health.journalVersion.toLocaleString('en')} events</Fact>
      </dl>
    </>
  );
}
