/** The status of the legion in a few words; a click shows the rest. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { counted } from '../../../src/domain/format.ts';
import type { HealthView } from '../../../src/protocol/operator.ts';
import { healthQuery } from '../api/queries.ts';
import { call, request } from '../api/request.ts';
import type { Tone } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { CommandText } from '../components/command-text.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Fact } from '../components/fact.tsx';
import { Refusal, Skeleton } from '../components/states.tsx';
import { Time } from '../components/time.tsx';
import { useToasts } from '../components/toast.tsx';
import { type Connection, useConnection } from '../live/live.tsx';

export function HealthButton() {
  const { data: health } = useQuery(healthQuery);
  const connection = useConnection();
  const [isOpen, setIsOpen] = useState(false);
  const { tone, says } = inShort(health, connection);
  const load = health === undefined ? '' : `${health.workers.live}/${health.workers.limit}`;
  return (
    <>
      <button type="button" className="health" onClick={() => setIsOpen(true)} title={says}>
        <span className={`health-dot tone-${tone}`} aria-hidden="true" />
        <span className="unseen">Health: </span>
        <span className="health-short">{load}</span>
        <span className="health-says">{health === undefined ? <Skeleton width="9em" /> : says}</span>
      </button>
      <Dialog
        title="Status"
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        actions={health === undefined ? undefined : <StartsSwitch health={health} />}
      >
        {health !== undefined && <HealthDetails health={health} connection={connection} />}
      </Dialog>
    </>
  );
}

function inShort(health: HealthView | undefined, connection: Connection): { tone: Tone; says: string } {
  if (connection === 'away') return { tone: 'warn', says: 'reconnecting' };
  if (health === undefined) return { tone: 'neutral', says: 'not known yet' };
  const { workers, starts, troubles } = health;
  const { stopping = 0 } = workers;
  const leaving = stopping > 0 ? `, ${stopping} stopping` : '';
  const busy = `${workers.live} of ${workers.limit} workers${leaving}`;
  if (troubles.length > 0 || !health.ok) {
    return {
      tone: 'bad',
      says: `${counted(troubles.length, 'problem')} · ${busy}`,
    };
  }
  if (starts.kind === 'halt') return { tone: 'bad', says: `halted · ${busy}` };
  if (!starts.allowed) return { tone: 'warn', says: `starts paused · ${busy}` };
  return { tone: 'good', says: busy };
}

/** Needs no confirmation: running workers continue either way. */
export function StartsSwitch({ health: { starts } }: { readonly health: HealthView }) {
  const client = useQueryClient();
  const toasts = useToasts();
  const flip = useMutation({
    mutationFn: () => request(call(starts.allowed ? 'POST /pause' : 'POST /resume', { body: {} }), ['says']),
    onSuccess: ({ says }) => toasts.say(says),
    onSettled: () => client.invalidateQueries({ queryKey: healthQuery.queryKey }),
  });
  return (
    <>
      {/* Here and not as a notice, which nobody can read or close behind a dialog. */}
      {flip.error !== null && <Refusal error={flip.error} />}
      <Button icon={starts.allowed ? 'pause' : 'play'} isBusy={flip.isPending} onClick={() => flip.mutate()}>
        {starts.allowed
          ? 'Start no more workers'
          : starts.kind === 'halt'
            ? 'Resume the legion'
            : 'Start workers again'}
      </Button>
    </>
  );
}

const CONNECTION_WORDS: Readonly<Record<Connection, string>> = {
  connecting: 'connecting',
  live: 'live: changes show at once',
  away: 'reconnecting: the daemon does not answer',
};

interface HealthDetailsProps {
  readonly health: HealthView;
  readonly connection: Connection;
}

/** Shows everything that the daemon reports about itself. */
function HealthDetails({ health, connection }: HealthDetailsProps) {
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
