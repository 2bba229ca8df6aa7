/** Edits an issue's title, text, priority, labels and blockers, where its board can be edited from here. */
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import type { IssueView } from '../../../../../src/protocol/board.ts';
import { boardQuery } from '../../../api/queries.ts';
import { call } from '../../../api/request.ts';
import { Button } from '../../../components/button.tsx';
import { useConfirm } from '../../../components/confirm.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { useSession } from '../../../session/gate.tsx';
import { labelsOf } from '../../board/filter.ts';
import { useAct } from '../actions/act.ts';
import { DeedDialog } from '../actions/action-dialog.tsx';
import { beginsHere } from '../begins-here.ts';
import { Choice } from '../choice.tsx';
import { ConflictNote } from './conflict-note.tsx';
import {
  addTo,
  conflictsIn,
  type IssueEdit,
  keepMine,
  listed,
  NO_EDIT,
  ownLabels,
  partOf,
  removeFrom,
  requestOf,
  setPart,
  type TextPart,
  takeTheirs,
} from './issue-edit.ts';
import { ListField } from './list-field.tsx';
import '../../../styles/issue-edit.css';

/** As long as the board allows them. */
const TITLE_MAX_CHARS = 256;
const LABEL_MAX_CHARS = 50;
const ID_MAX_CHARS = 100;

const PART_NAMES: Readonly<Record<TextPart, string>> = { title: 'title', body: 'text', priority: 'priority' };
const PRIORITIES = ['None', 'Urgent', 'High', 'Medium', 'Low'] as const;
const SERVICES: Readonly<Record<string, string>> = { github: 'GitHub', linear: 'Linear' };

interface EditDialogProps {
  readonly id: string;
  /** As it is now, also while it is being edited. */
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
        This issue lives on {service}. Edit its title, text, labels, priority and blockers there; Legion reads
        them from {service}.
      </p>
    </Dialog>
  );
}

function EditForm({ id, issue, onClose }: EditDialogProps) {
  const act = useAct(id);
  const confirm = useConfirm();
  const { data: board } = useQuery(boardQuery);
  const [edit, setEdit] = useState<IssueEdit>(NO_EDIT);
  const [label, setLabel] = useState('');
  const [blocker, setBlocker] = useState('');
  const text = useRef<HTMLTextAreaElement>(null);

  const labels = ownLabels(issue);
  // What was typed and not added yet is meant, too.
  const whole: IssueEdit = {
    ...edit,
    labels: addTo(labels, edit.labels, label),
    blockers: addTo(issue.blockedBy, edit.blockers, blocker),
  };
  const request = requestOf(whole, issue);
  const conflicts = conflictsIn(edit, issue);
  const isReady = request !== undefined && conflicts.length === 0;

  const save = () => {
    if (!isReady || act.isPending) return;
    const says = `${id} was saved.`;
    const saving = call('PATCH /issues/:id', { params: { id }, body: request });
    act.mutate({ call: saving, says }, { onSuccess: onClose });
  };
  const close = async () => {
    if (request === undefined || (await confirm(DISCARD))) onClose();
  };
  const goToText = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    text.current?.focus();
  };
  const noteOn = (part: TextPart, theirs: string): ReactNode =>
    conflicts.includes(part) && (
      <ConflictNote
        name={PART_NAMES[part]}
        theirs={theirs}
        onKeepMine={() => setEdit(keepMine(edit, issue, part))}
        onTakeTheirs={() => setEdit(takeTheirs(edit, part))}
      />
    );

  return (
    <DeedDialog
      title={`Edit ${id}`}
      action="Save"
      isReady={isReady}
      isBusy={act.isPending}
      error={act.error}
      onSubmit={save}
      onClose={() => void close()}
    >
      <div className="issue-edit">
        <label className="field">
          <span>Title</span>
          <input
            ref={beginsHere}
            className="input"
            dir="auto"
            maxLength={TITLE_MAX_CHARS}
            value={partOf(edit, issue, 'title')}
            onChange={({ target }) => setEdit(setPart(edit, issue, 'title', target.value))}
            onKeyDown={goToText}
          />
        </label>
        {noteOn('title', issue.title)}
        <label className="field">
          <span>Text (Markdown)</span>
          <textarea
            ref={text}
            className="input"
            rows={9}
            dir="auto"
            value={partOf(edit, issue, 'body')}
            onChange={({ target }) => setEdit(setPart(edit, issue, 'body', target.value))}
          />
        </label>
        {noteOn('body', issue.body)}
        <Choice
          name="Priority"
          value={String(partOf(edit, issue, 'priority'))}
          options={PRIORITIES.map((says, value) => ({ value: String(value), says }))}
          onChoose={(value) =>
            setEdit(setPart(edit, issue, 'priority', Number(value) as IssueView['priority']))
          }
        />
        {noteOn('priority', PRIORITIES[issue.priority])}
        <ListField
          name="Labels"
          one="label"
          values={listed(labels, edit.labels)}
          typed={label}
          onType={setLabel}
          onAdd={(added) => {
            setEdit({ ...edit, labels: addTo(labels, edit.labels, added) });
            setLabel('');
          }}
          onRemove={(name) => setEdit({ ...edit, labels: removeFrom(labels, edit.labels, name) })}
          suggestions={labelsOf(board?.cards ?? []).map((each) => ({ value: each.label }))}
          maxLength={LABEL_MAX_CHARS}
        />
        <ListField
          name="Blocked by"
          one="blocker"
          values={listed(issue.blockedBy, edit.blockers)}
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
    </DeedDialog>
  );
}

const DISCARD = {
  title: 'Discard your changes?',
  text: 'What you changed in this dialog is not saved.',
  action: 'Discard',
  isDangerous: true,
};
