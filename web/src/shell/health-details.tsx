/** Everything the daemon says about itself. */
import type { HealthView } from '../../../src/protocol/operator.ts';
import { Fact } from '../components/fact.tsx';
import { Time } from '../components/time.tsx';
import type { Connection } from '../live/live.tsx';

const CONNECTION_WORDS: Readonly<Record<Connection, string>> = {
  connecting: 'connecting',
  live: 'live: changes show at once',
  away: 'the daemon does not answer; asking again',
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
          <p>{message}</p>
          <p className="fault-next">
            {next} <code className="faint">{code}</code>, <Time at={since} suffix=" ago" />
          </p>
        </div>
      ))}
      <dl className="facts">
        <Fact name="This page">{CONNECTION_WORDS[connection]}</Fact>
        <Fact name="Workers">
          {workers.live} live, {workers.waiting} waiting, at most {workers.limit}
        </Fact>
        <Fact name="Starts">
          {/* Whoever switches them hears it here: notices are behind the dialog. */}
          <span role="status">{starts.allowed ? 'allowed' : (starts.why ?? 'paused')}</span>
        </Fact>
        <Fact name="Decides">{health.autoAdvance ? 'by itself' : 'only when told'}</Fact>
        <Fact name="Issues, code">
          {health.backend}, {health.forge}
        </Fact>
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
