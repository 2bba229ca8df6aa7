/** What else can be done with the issue; a menu has everything. */
import { useRef } from 'react';
import type { Status } from '../../../../../src/core/model/status.ts';
import { STATUSES } from '../../../../../src/core/model/status.ts';
import type { Mode } from '../../../../../src/domain/mode.ts';
import type { IssueDetail } from '../../../../../src/protocol/endpoints/issues.ts';
import { call } from '../../../api/request.ts';
import { Button } from '../../../components/button.tsx';
import { Menu, type MenuItem } from '../../../components/menu.tsx';
import { useShortcut } from '../../../keys/shortcuts.tsx';
import { useSession } from '../../../session/gate.tsx';
import { EditDialog } from '../edit/edit-dialog.tsx';
import { likeliest } from '../likeliest-worker.ts';
import { useAct } from './act.ts';
import { AdvanceDialog } from './advance-dialog.tsx';
import type { DialogName, Offer } from './available-actions.ts';
import { DispatchDialog } from './dispatch-dialog.tsx';
import { PauseDialog } from './pause-dialog.tsx';
import { PromptDialog } from './prompt-dialog.tsx';
import { RollbackDialog } from './rollback-dialog.tsx';
import type { Deeds } from './use-actions.ts';

/** Beside the menu; more would not fit on a phone. */
const BUTTONS_MOST = 3;
const GROUP = 'Issue';

interface ActionBarProps {
  readonly id: string;
  readonly detail: IssueDetail | undefined;
  readonly offers: readonly Offer[];
  /** Its button stands beside the sentence that says why it is needed. */
  readonly end: Offer | undefined;
  readonly deeds: Deeds;
}

export function ActionBar({ id, detail, offers, end, deeds }: ActionBarProps) {
  const { perform, dialog, close, menu, setMenu, isBusy } = deeds;
  const more = useRef<HTMLButtonElement>(null);
  const columns = useColumns(id, detail);
  // What has no key is rare or hard to take back, and stays in the menu.
  const shown = offers
    .filter((offer) => offer.keys !== undefined && offer.deed !== 'move' && offer !== end)
    .slice(0, BUTTONS_MOST);
  useShortcut({
    keys: '.',
    says: 'Everything that can be done',
    group: GROUP,
    run: () => setMenu('actions'),
  });

  const actions: readonly MenuItem[] = offers.map((offer) => ({
    id: offer.says,
    says: <Entry of={offer} />,
    staysOpen: offer.deed === 'move',
    run: () => perform(offer),
  }));
  return (
    <fieldset className="issue-actions" aria-label={`Actions on ${id}`}>
      {offers.map((offer) => (
        <OfferKey key={offer.says} offer={offer} onPress={perform} />
      ))}
      {shown.map((offer) => (
        <Button
          key={offer.says}
          isBusy={isBusy}
          title={offer.keys === undefined ? undefined : `${offer.says} (${offer.keys})`}
          onClick={() => perform(offer)}
        >
          {offer.says}
        </Button>
      ))}
      <Button
        ref={more}
        icon="more"
        className="button-icon"
        aria-label="All actions"
        title="All actions (.)"
        aria-haspopup="menu"
        aria-expanded={menu !== null}
        disabled={detail === undefined}
        onClick={() => setMenu('actions')}
      />
      {menu !== null && more.current !== null && detail !== undefined && (
        <Menu
          key={menu}
          name={menu === 'actions' ? `What to do with ${id}` : `Move ${id} to`}
          anchor={more.current}
          items={menu === 'actions' ? actions : columns}
          // One menu takes the place of the other: the first one's end is not the second one's.
          onClose={() => setMenu((now) => (now === menu ? null : now))}
        />
      )}
      <DeedDialogs id={id} detail={detail} open={dialog} onClose={close} />
    </fieldset>
  );
}

function useColumns(id: string, detail: IssueDetail | undefined): readonly MenuItem[] {
  const { statuses } = useSession();
  const move = useMoving(id);
  const here = STATUSES.find((status) => status === detail?.issue.status);
  return statuses.flatMap(({ status, column }) => {
    const to = STATUSES.find((each) => each === status);
    if (to === undefined) return [];
    const run = () => {
      if (to !== here) move(here, to);
    };
    return [{ id: status, says: column, isChosen: to === here, run }];
  });
}

function Entry({ of: { says, keys } }: { readonly of: Pick<Offer, 'says' | 'keys'> }) {
  return (
    <>
      <span className="menu-says">{says}</span>
      {keys !== undefined && (
        <span aria-hidden="true">
          <kbd>{keys}</kbd>
        </span>
      )}
    </>
  );
}

/** A component for each, for what is offered changes and hooks may not. */
function OfferKey({ offer, onPress }: { readonly offer: Offer; onPress(offer: Offer): void }) {
  return offer.keys === undefined ? null : (
    <Key keys={offer.keys} says={offer.says} onPress={() => onPress(offer)} />
  );
}

function Key({ keys, says, onPress }: { readonly keys: string; readonly says: string; onPress(): void }) {
  useShortcut({ keys, says, group: GROUP, run: onPress });
  return null;
}

/** `from` is undefined where nothing can be moved back to. */
function useMoving(id: string): (from: Status | undefined, to: Status) => void {
  const act = useAct(id);
  const { statuses } = useSession();
  const move = (from: Status | undefined, to: Status): void => {
    const column = statuses.find(({ status }) => status === to)?.column ?? to;
    act.mutate({
      call: call('POST /issues/:id/move', { params: { id }, body: { status: to } }),
      says: `${id} moved to ${column}`,
      isMove: true,
      refused: `${id} was not moved to ${column}`,
      ...(from === undefined ? {} : { undo: () => move(undefined, from) }),
    });
  };
  return move;
}

interface DeedDialogsProps {
  readonly id: string;
  readonly detail: IssueDetail | undefined;
  readonly open: DialogName | null;
  onClose(): void;
}

/** Renders the open dialog, if any. */
function DeedDialogs({ id, detail, open, onClose }: DeedDialogsProps) {
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
