/** Edits an issue's title, text, priority, labels and blockers, as far as its board allows. */
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import type { IssueView } from '../../../../../src/protocol/board.ts';
import { boardQuery } from '../../../api/queries.ts';
import { createCall } from '../../../api/request.ts';
import { useActionMutation } from '../../../api/use-action-mutation.ts';
import { Button } from '../../../components/button.tsx';
import { useConfirm } from '../../../components/confirm.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { useSession } from '../../../session/session.ts';
import { countLabels } from '../../board/filter.ts';
import { ActionDialog } from '../actions/action-dialog.tsx';
import { Choice } from '../choice.tsx';
import { markInitialFocus } from '../initial-focus.ts';
import { toStaleIssueQueries } from '../queries.ts';
import { ConflictNote } from './conflict-note.tsx';
import {
  addTo,
  applyListChange,
  findConflicts,
  getPart,
  type IssueEdit,
  keepMine,
  listOwnLabels,
  NO_EDIT,
  removeFrom,
  setPart,
  type TextPart,
  takeTheirs,
  toEditRequest,
} from './issue-edit.ts';
import { ListField } from './list-field.tsx';
import '../../../styles/issue-edit.css';

/** Maximum lengths that the board accepts. */
const TITLE_MAX_CHARS = 256;
const LABEL_MAX_CHARS = 50;
const ID_MAX_CHARS = 100;

const PART_NAMES: Readonly<Record<TextPart, string>> = { title: 'title', body: 'text', priority: 'priority' };
const PRIORITIES = ['None', 'Urgent', 'High', 'Medium', 'Low'] as const;
const SERVICES: Readonly<Record<string, string>> = { github: 'GitHub', linear: 'Linear' };

interface EditDialogProps {
  readonly id: string;
  /** The issue's current state, kept up to date during the edit. */
  readonly issue: IssueView;
  onClose(): void;
}

export function EditDialog(props: EditDialogProps) {
  const { ownBoard, backend } = useSession();
  if (ownBoard) return <EditForm {...props} />;
  const service = SERVICES[backend] ?? backend;
  return (
    <Dialog
      title={`Edit ${props.id}`}
      isOpen
      onClose={props.onClose}
      actions={<Button onClick={props.onClose}>Close</Button>}
    >
      <p>
        This issue is on {service}. Edit its title, text, labels, priority and blockers there; Legion reads
        them from {service}.
      </p>
    </Dialog>
  );
}

function EditForm({ id, issue, onClose }: EditDialogProps) {
  const mutation = useActionMutation(toStaleIssueQueries(id));
  const confirm = useConfirm();
  const { data: board } = useQuery(boardQuery);
  const [edit, setEdit] = useState<IssueEdit>(NO_EDIT);
  const [label, setLabel] = useState('');
  const [blocker, setBlocker] = useState('');
  const text = useRef<HTMLTextAreaElement>(null);

  const labels = listOwnLabels(issue);
  // Includes labels and blockers that were typed but not added yet.
  const completeEdit: IssueEdit = {
    ...edit,
    labels: addTo(labels, edit.labels, label),
    blockers: addTo(issue.blockedBy, edit.blockers, blocker),
  };
  const request = toEditRequest(completeEdit, issue);
  const conflicts = findConflicts(edit, issue);
  const isReady = request !== undefined && conflicts.length === 0;

  const save = () => {
    if (!isReady || mutation.isPending) return;
    const notice = `${id} was saved.`;
    const call = createCall('PATCH /issues/:id', { params: { id }, body: request });
    mutation.mutate({ call: call, notice }, { onSuccess: onClose });
  };
  const close = async () => {
    if (request === undefined || (await confirm(DISCARD))) onClose();
  };
  const focusText = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    text.current?.focus();
  };
  const renderConflict = (part: TextPart, theirs: string): ReactNode =>
    conflicts.includes(part) && (
      <ConflictNote
        name={PART_NAMES[part]}
        theirs={theirs}
        onKeepMine={() => setEdit(keepMine(edit, issue, part))}
        onTakeTheirs={() => setEdit(takeTheirs(edit, part))}
      />
    );

  return (
    <ActionDialog
      title={`Edit ${id}`}
      action="Save"
      isReady={isReady}
      isBusy={mutation.isPending}
      error={mutation.error}
      onSubmit={save}
      onClose={() => void close()}
    >
      <div className="issue-edit">
        <label className="field">
          <span>Title</span>
          <input
            ref={markInitialFocus}
            className="input"
            dir="auto"
            maxLength={TITLE_MAX_CHARS}
            value={getPart(edit, issue, 'title')}
            onChange={({ target }) => setEdit(setPart(edit, issue, 'title', target.value))}
            onKeyDown={focusText}
          />
        </label>
        {renderConflict('title', issue.title)}
        <label className="field">
          <span>Text (Markdown)</span>
          <textarea
            ref={text}
            className="input"
            rows={9}
            dir="auto"
            value={getPart(edit, issue, 'body')}
            onChange={({ target }) => setEdit(setPart(edit, issue, 'body', target.value))}
          />
        </label>
        {renderConflict('body', issue.body)}
        <Choice
          name="Priority"
          value={String(getPart(edit, issue, 'priority'))}
          options={PRIORITIES.map((label, value) => ({ value: String(value), label }))}
          onChoose={(value) =>
            setEdit(setPart(edit, issue, 'priority', Number(value) as IssueView['priority']))
          }
        />
        {renderConflict('priority', PRIORITIES[issue.priority])}
        <ListField
          name="Labels"
          one="label"
          values={applyListChange(labels, edit.labels)}
          typed={label}
          onType={setLabel}
          onAdd={(added) => {
            setEdit({ ...edit, labels: addTo(labels, edit.labels, added) });
            setLabel('');
          }}
          onRemove={(name) => setEdit({ ...edit, labels: removeFrom(labels, edit.labels, name) })}
          suggestions={countLabels(board?.cards ?? []).map((each) => ({ value: each.label }))}
          maxLength={LABEL_MAX_CHARS}
        />
        <ListField
          name="Blocked by"
          one="blocker"
          values={applyListChange(issue.blockedBy, edit.blockers)}
          typed={blocker}
          onType={setBlocker}
          onAdd={(added) => {
            setEdit({ ...edit, blockers: addTo(issue.blockedBy, edit.blockers, added) });
            setBlocker('');
          }}
          onRemove={(name) =>
            setEdit({ ...edit, blockers: removeFrom(issue.blockedBy, edit.blockers, name) })
          }
          suggestions={(board?.cards ?? [])
            .filter((card) => card.id !== id)
            .map((card) => ({ value: card.id, label: card.title }))}
          maxLength={ID_MAX_CHARS}
        />
        <p className="write-hint faint">
          <kbd>Ctrl</kbd> <kbd>Enter</kbd> saves
        </p>
      </div>
    </ActionDialog>
  );
}

const DISCARD = {
  title: 'Discard your changes?',
  text: 'Your changes in this dialog are not saved.',
  action: 'Discard',
  isDangerous: true,
};
