/** Opens the revert of an issue's merge once its id was typed, so that nobody does it by a slip. */
import { useState } from 'react';
import { call } from '../../../api/request.ts';
import { beginsHere } from '../begins-here.ts';
import { useAct } from './act.ts';
import { DeedDialog } from './action-dialog.tsx';

export function RollbackDialog({ issue, onClose }: { readonly issue: string; onClose(): void }) {
  const act = useAct(issue);
  const [typed, setTyped] = useState('');
  const isSame = typed.trim().toLowerCase() === issue.toLowerCase();
  return (
    <DeedDialog
      title={`Roll ${issue} back`}
      action="Roll back"
      isDangerous
      isReady={isSame}
      isBusy={act.isPending}
      error={act.error}
      onSubmit={() =>
        act.mutate(
          { call: call('POST /issues/:id/rollback', { params: { id: issue }, body: {} }) },
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
          Type <code>{issue}</code> to go on
        </span>
        <input
          ref={beginsHere}
          className="input"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </label>
    </DeedDialog>
  );
}
