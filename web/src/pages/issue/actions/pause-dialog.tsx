/** Pauses an issue, with a reason for other operators. */
import { useState } from 'react';
import { createCall } from '../../../api/request.ts';
import { useActionMutation } from '../../../api/use-action-mutation.ts';
import { markInitialFocus } from '../initial-focus.ts';
import { toStaleIssueQueries } from '../queries.ts';
import { ActionDialog } from './action-dialog.tsx';

const MAX_REASON_CHARACTERS = 1_000;

export function PauseDialog({ issue, onClose }: { readonly issue: string; onClose(): void }) {
  const mutation = useActionMutation(toStaleIssueQueries(issue));
  const [why, setWhy] = useState('');
  const pause = () => {
    const body = why.trim() === '' ? {} : { why: why.trim() };
    const call = createCall('POST /issues/:id/pause', { params: { id: issue }, body });
    mutation.mutate({ call: call }, { onSuccess: onClose });
  };
  return (
    <ActionDialog
      title={`Pause ${issue}`}
      action="Pause"
      isReady
      isBusy={mutation.isPending}
      error={mutation.error}
      onSubmit={pause}
      onClose={onClose}
    >
      <p>No worker starts until you resume the issue. A running worker continues.</p>
      <label className="field">
        <span>Reason (visible to others on the issue)</span>
        <input
          ref={markInitialFocus}
          className="input"
          maxLength={MAX_REASON_CHARACTERS}
          value={why}
          onChange={({ target }) => setWhy(target.value)}
        />
      </label>
    </ActionDialog>
  );
}
