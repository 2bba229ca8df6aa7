/** The dialog that is open, if one is. */
import type { Mode } from '../../../../../src/domain/mode.ts';
import { EditDialog } from '../edit/edit-dialog.tsx';
import type { IssueDetail } from '../issue-detail.ts';
import { likeliest } from '../likeliest.ts';
import { AdvanceDialog } from './advance-dialog.tsx';
import { DispatchDialog } from './dispatch-dialog.tsx';
import type { DialogName } from './offers.ts';
import { PauseDialog } from './pause-dialog.tsx';
import { PromptDialog } from './prompt-dialog.tsx';
import { RollbackDialog } from './rollback-dialog.tsx';

interface DeedDialogsProps {
  readonly id: string;
  readonly detail: IssueDetail | undefined;
  readonly open: DialogName | null;
  onClose(): void;
}

export function DeedDialogs({ id, detail, open, onClose }: DeedDialogsProps) {
  switch (open) {
    case null:
      return null;
    case 'prompt':
      return <PromptDialog issue={id} workers={detail?.workers ?? []} onClose={onClose} />;
    case 'advance':
      return <AdvanceDialog issue={id} onClose={onClose} />;
    case 'pause':
      return <PauseDialog issue={id} onClose={onClose} />;
    case 'edit':
      return detail === undefined ? null : <EditDialog id={id} issue={detail.issue} onClose={onClose} />;
    case 'dispatch':
      return <DispatchDialog issue={id} suggested={suggested(detail)} onClose={onClose} />;
    case 'rollback':
      return <RollbackDialog issue={id} onClose={onClose} />;
  }
}

/** What the column calls for. */
const MODES_OF: Readonly<Record<string, Mode>> = {
  Todo: 'plan',
  'In Progress': 'implement',
  Testing: 'test',
  'Needs Review': 'review',
  Retro: 'merge',
};

function suggested(detail: IssueDetail | undefined): Mode {
  if (detail === undefined) return 'architect';
  return MODES_OF[detail.issue.status] ?? likeliest(detail.workers)?.mode ?? 'architect';
}
