/** Buttons for the most common actions on the issue, and a menu of all actions. */
import { useRef } from 'react';
import type { Mode } from '../../../../../src/core/model/mode.ts';
import { STATUSES, type Status } from '../../../../../src/core/model/status.ts';
import type { IssueDetail } from '../../../../../src/protocol/endpoints/issues.ts';
import { createCall } from '../../../api/request.ts';
import { useActionMutation } from '../../../api/use-action-mutation.ts';
import { Button } from '../../../components/button.tsx';
import { Menu, type MenuItem } from '../../../components/menu.tsx';
import { useShortcut } from '../../../keys/shortcuts.tsx';
import { useSession } from '../../../session/session.ts';
import { EditDialog } from '../edit/edit-dialog.tsx';
import { pickLikeliestWorker } from '../likeliest-worker.ts';
import { toStaleIssueQueries } from '../queries.ts';
import { AdvanceDialog } from './advance-dialog.tsx';
import type { AvailableAction, DialogName } from './available-actions.ts';
import { DispatchDialog } from './dispatch-dialog.tsx';
import { PauseDialog } from './pause-dialog.tsx';
import { PromptDialog } from './prompt-dialog.tsx';
import { RejectDialog } from './reject-dialog.tsx';
import { RollbackDialog } from './rollback-dialog.tsx';
import type { IssueActions } from './use-actions.ts';

/** Buttons beside the menu; more would not fit on a phone. */
const MAX_BUTTONS = 3;
const GROUP = 'Issue';

interface ActionBarProps {
  readonly id: string;
  readonly detail: IssueDetail | undefined;
  readonly available: readonly AvailableAction[];
  /**
   * Action that ends the wait. It has no button here, because its button is beside the sentence
   * that explains the wait.
   */
  readonly end: AvailableAction | undefined;
  readonly actions: IssueActions;
}

export function ActionBar({ id, detail, available, end, actions }: ActionBarProps) {
  const { perform, dialog, close, menu, setMenu, isBusy } = actions;
  const moreButton = useRef<HTMLButtonElement>(null);
  const columns = useColumns(id, detail);
  // Actions without a keyboard shortcut are rare or hard to undo, so they are only in the menu.
  const buttons = available
    .filter((action) => action.keys !== undefined && action.action !== 'move' && action !== end)
    .slice(0, MAX_BUTTONS);
  useShortcut({
    keys: '.',
    label: 'Show all actions',
    group: GROUP,
    run: () => setMenu('actions'),
  });

  const menuItems: readonly MenuItem[] = available.map((action) => ({
    id: action.label,
    label: <Entry of={action} />,
    staysOpen: action.action === 'move',
    run: () => perform(action),
  }));
  return (
    <fieldset className="issue-actions" aria-label={`Actions on ${id}`}>
      {available.map((action) => (
        <ActionShortcut key={action.label} action={action} onPress={perform} />
      ))}
      {buttons.map((action) => (
        <Button
          key={action.label}
          isBusy={isBusy}
          title={action.keys === undefined ? undefined : `${action.label} (${action.keys})`}
          onClick={() => perform(action)}
        >
          {action.label}
        </Button>
      ))}
      <Button
        ref={moreButton}
        icon="more"
        className="button-icon"
        aria-label="All actions"
        title="All actions (.)"
        aria-haspopup="menu"
        aria-expanded={menu !== null}
        disabled={detail === undefined}
        onClick={() => setMenu('actions')}
      />
      {menu !== null && moreButton.current !== null && detail !== undefined && (
        <Menu
          key={menu}
          name={menu === 'actions' ? `Actions for ${id}` : `Move ${id} to`}
          anchor={moreButton.current}
          items={menu === 'actions' ? menuItems : columns}
          // The other menu may already have replaced this one, so closing this menu must not close
          // the other.
          onClose={() => setMenu((now) => (now === menu ? null : now))}
        />
      )}
      <ActionDialogs id={id} detail={detail} open={dialog} onClose={close} />
    </fieldset>
  );
}

function useColumns(id: string, detail: IssueDetail | undefined): readonly MenuItem[] {
  const { statuses } = useSession();
  const move = useMoveIssue(id);
  const current = STATUSES.find((status) => status === detail?.issue.status);
  return statuses.flatMap(({ status, column }) => {
    const to = STATUSES.find((each) => each === status);
    if (to === undefined) return [];
    const run = () => {
      if (to !== current) move(current, to);
    };
    return [{ id: status, label: column, isChosen: to === current, run }];
  });
}

function Entry({ of: { label, keys } }: { readonly of: Pick<AvailableAction, 'label' | 'keys'> }) {
  return (
    <>
      <span className="menu-says">{label}</span>
      {keys !== undefined && (
        <span aria-hidden="true">
          <kbd>{keys}</kbd>
        </span>
      )}
    </>
  );
}

/**
 * Each action has its own component, because the number of actions varies, but the number of hooks
 * in a component must not.
 */
function ActionShortcut({
  action,
  onPress,
}: {
  readonly action: AvailableAction;
  onPress(action: AvailableAction): void;
}) {
  return action.keys === undefined ? null : (
    <Key keys={action.keys} label={action.label} onPress={() => onPress(action)} />
  );
}

function Key({ keys, label, onPress }: { readonly keys: string; readonly label: string; onPress(): void }) {
  useShortcut({ keys, label, group: GROUP, run: onPress });
  return null;
}

/**
 * Returns a function that moves the issue. Its `from` is undefined if the issue cannot be moved
 * back.
 */
function useMoveIssue(id: string): (from: Status | undefined, to: Status) => void {
  const mutation = useActionMutation(toStaleIssueQueries(id));
  const { statuses } = useSession();
  const move = (from: Status | undefined, to: Status): void => {
    const column = statuses.find(({ status }) => status === to)?.column ?? to;
    mutation.mutate({
      call: createCall('POST /issues/:id/move', { params: { id }, body: { status: to } }),
      notice: `${id} moved to ${column}`,
      isMove: true,
      refused: `${id} was not moved to ${column}`,
      ...(from === undefined ? {} : { undo: () => move(undefined, from) }),
    });
  };
  return move;
}

interface ActionDialogsProps {
  readonly id: string;
  readonly detail: IssueDetail | undefined;
  readonly open: DialogName | null;
  onClose(): void;
}

/** Renders the open dialog, if any. */
function ActionDialogs({ id, detail, open, onClose }: ActionDialogsProps) {
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
      return <DispatchDialog issue={id} suggested={getSuggestedMode(detail)} onClose={onClose} />;
    case 'reject':
      return <RejectDialog issue={id} stale={toStaleIssueQueries(id)} onClose={onClose} />;
    case 'rollback':
      return <RollbackDialog issue={id} onClose={onClose} />;
  }
}

/** Mode of the worker that each status needs. */
const MODE_BY_STATUS: Readonly<Record<string, Mode>> = {
  Todo: 'plan',
  'In Progress': 'implement',
  Testing: 'test',
  'Needs Review': 'review',
  Retro: 'merge',
};

function getSuggestedMode(detail: IssueDetail | undefined): Mode {
  if (detail === undefined) return 'architect';
  return MODE_BY_STATUS[detail.issue.status] ?? pickLikeliestWorker(detail.workers)?.mode ?? 'architect';
}
