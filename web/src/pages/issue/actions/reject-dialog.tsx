/** Rejects a specification, a plan or a merge. The worker that produced it gets the reason. */
import { useState } from 'react';
import { createCall } from '../../../api/request.ts';
import { type StaleQueries, useActionMutation } from '../../../api/use-action-mutation.ts';
import { markInitialFocus } from '../initial-focus.ts';
import { ActionDialog } from './action-dialog.tsx';
import { TextArea } from './text-area.tsx';

interface RejectDialogProps {
  readonly issue: string;
  readonly stale: StaleQueries;
  onClose(): void;
}

export function RejectDialog({ issue, stale, onClose }: RejectDialogProps) {
  const mutation = useActionMutation(stale);
  const [why, setWhy] = useState('');
  const isReady = why.trim() !== '';
  const reject = () => {
    if (!isReady || mutation.isPending) return;
    const body = { why: why.trim(), through: 'dashboard' } as const;
    const call = createCall('POST /issues/:id/reject', { params: { id: issue }, body });
    mutation.mutate({ call }, { onSuccess: onClose });
  };
  return (
    <ActionDialog
      title={`Reject ${issue}`}
      action="Reject"
      isReady={isReady}
      isBusy={mutation.isPending}
      error={mutation.error}
      onSubmit={reject}
      onClose={onClose}
    >
      <p>The worker continues with your reason. Its new result waits for approval again.</p>
      <TextArea
        ref={markInitialFocus}
        label="What has to change, and why"
        value={why}
        onChange={setWhy}
        onSend={reject}
      />
    </ActionDialog>
  );
}
