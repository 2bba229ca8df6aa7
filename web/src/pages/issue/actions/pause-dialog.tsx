/** Holds an issue, with a reason for whoever finds it held. */
import { useState } from 'react';
import { call } from '../../../api/request.ts';
import { beginsHere } from '../begins-here.ts';
import { useAct } from './act.ts';
import { DeedDialog } from './action-dialog.tsx';

const WHY_MOST_CHARS = 1_000;

export function PauseDialog({ issue, onClose }: { readonly issue: string; onClose(): void }) {
  const act = useAct(issue);
  const [why, setWhy] = useState('');
  const pause = () => {
    const body = why.trim() === '' ? {} : { why: why.trim() };
    const pausing = call('POST /issues/:id/pause', { params: { id: issue }, body });
    act.mutate({ call: pausing }, { onSuccess: onClose });
  };
  return (
    <DeedDialog
      title={`Pause ${issue}`}
      action="Pause"
      isReady
      isBusy={act.isPending}
      error={act.error}
      onSubmit={pause}
      onClose={onClose}
    >
      <p>Nothing is started for it until it is resumed. A running worker continues.</p>
      <label className="field">
        <span>Why? (others read it on the issue)</span>
        <input
          ref={beginsHere}
          className="input"
          maxLength={WHY_MOST_CHARS}
          value={why}
          onChange={({ target }) => setWhy(target.value)}
        />
      </label>
    </DeedDialog>
  );
}
