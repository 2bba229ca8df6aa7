/**
 * Opens a pull request that reverts an issue's merge. The person must type the issue's id, which
 * prevents accidents.
 */
import { useState } from 'react';
import { createCall } from '../../../api/request.ts';
import { useActionMutation } from '../../../api/use-action-mutation.ts';
import { markInitialFocus } from '../initial-focus.ts';
import { toStaleIssueQueries } from '../queries.ts';
import { ActionDialog } from './action-dialog.tsx';

export function RollbackDialog({ issue, onClose }: { readonly issue: string; onClose(): void }) {
  const mutation = useActionMutation(toStaleIssueQueries(issue));
  const [typed, setTyped] = useState('');
  const isSame = typed.trim().toLowerCase() === issue.toLowerCase();
  return (
    <ActionDialog
      title={`Roll back ${issue}`}
      action="Roll back"
      isDangerous
      isReady={isSame}
      isBusy={mutation.isPending}
      error={mutation.error}
      onSubmit={() =>
        mutation.mutate(
          { call: createCall('POST /issues/:id/rollback', { params: { id: issue }, body: {} }) },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
      <p>
        Legion opens a pull request that reverts the merge and moves the issue back to Todo. The base branch
        contains the change until you merge that pull request. Work starts again once you have said what was
        wrong and approved it.
      </p>
      <label className="field">
        <span>
          Type <code>{issue}</code> to continue
        </span>
        <input
          ref={markInitialFocus}
          className="input"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </label>
    </ActionDialog>
  );
}
