/** The status of the legion in a few words; a click shows the details. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatCount } from '../../../src/core/model/format.ts';
import type { HealthView } from '../../../src/protocol/status.ts';
import { healthQuery } from '../api/queries.ts';
import { createCall, sendRequest } from '../api/request.ts';
import type { Tone } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { CommandText } from '../components/command-text.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Fact } from '../components/fact.tsx';
import { Refusal, Skeleton } from '../components/states.tsx';
import { Time } from '../components/time.tsx';
import { useToasts } from '../components/toast.tsx';
import { type ConnectionState, useConnection } from '../live/live-events.ts';

export function HealthButton() {
  const { data: health } = useQuery(healthQuery);
  const connection = useConnection();
  const [isOpen, setIsOpen] = useState(false);
  const { tone, label } = describeHealth(health, connection);
  const load = health === undefined ? '' : `${health.workers.live}/${health.workers.limit}`;
  return (
    <>
      <button type="button" className="health" onClick={() => setIsOpen(true)} title={label}>
        <span className={`health-dot tone-${tone}`} aria-hidden="true" />
        <span className="unseen">Health: </span>
        <span className="health-short">{load}</span>
        <span className="health-says">{health === undefined ? <Skeleton width="9em" /> : label}</span>
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

function describeHealth(
  health: HealthView | undefined,
  connection: ConnectionState,
): { tone: Tone; label: string } {
  if (connection === 'away') return { tone: 'warn', label: 'reconnecting' };
  if (health === undefined) return { tone: 'neutral', label: 'not known yet' };
  const { workers, starts, troubles } = health;
  const { stopping = 0 } = workers;
  const stoppingText = stopping > 0 ? `, ${stopping} stopping` : '';
  const busy = `${workers.live} of ${workers.limit} workers${stoppingText}`;
  if (troubles.length > 0 || !health.ok) {
    return {
      tone: 'bad',
      label: `${formatCount(troubles.length, 'problem')} · ${busy}`,
    };
  }
  if (starts.kind === 'halt') return { tone: 'bad', label: `halted · ${busy}` };
  if (!starts.allowed) return { tone: 'warn', label: `starts paused · ${busy}` };
  return { tone: 'good', label: busy };
}

/**
 * Pauses or resumes worker starts. Needs no confirmation, because running workers continue either
 * way.
 */
export function StartsSwitch({ health: { starts } }: { readonly health: HealthView }) {
  const client = useQueryClient();
  const toasts = useToasts();
  const flip = useMutation({
    mutationFn: () =>
      sendRequest(createCall(starts.allowed ? 'POST /pause' : 'POST /resume', { body: {} }), ['says']),
    onSuccess: ({ says }) => toasts.show(says),
    onSettled: () => client.invalidateQueries({ queryKey: healthQuery.queryKey }),
  });
  return (
    <>
      {/* Shown here instead of as a notice, which would be unreadable behind a dialog. */}
      {flip.error !== null && <Refusal error={flip.error} />}
      <Button icon={starts.allowed ? 'pause' : 'play'} isBusy={flip.isPending} onClick={() => flip.mutate()}>
        {starts.allowed ? 'Pause starts' : starts.kind === 'halt' ? 'Resume the legion' : 'Resume starts'}
      </Button>
    </>
  );
}

const CONNECTION_LABELS: Readonly<Record<ConnectionState, string>> = {
  connecting: 'connecting',
  live: 'live: changes appear immediately',
  away: 'reconnecting: the daemon is not responding',
};

interface HealthDetailsProps {
  readonly health: HealthView;
  readonly connection: ConnectionState;
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
        <Fact name="This page">{CONNECTION_LABELS[connection]}</Fact>
        <Fact name="Workers">
          {workers.live} live, {workers.waiting} waiting,{' '}
          {(workers.stopping ?? 0) > 0 && `${workers.stopping} stopping, `}at most {workers.limit}
        </Fact>
        <Fact name="Starts">
          {/* Has the ARIA role `status`, because notices are hidden behind the dialog. */}
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
