/** What can be done with the issue: what it waits for first, the rest in a menu that has everything. */
import { useRef, useState } from 'react';
import { modeOfPhase } from '../../../../../src/domain/mode.ts';
import { STATUSES, type Status } from '../../../../../src/domain/status.ts';
import { Button } from '../../../components/button.tsx';
import { Menu, type MenuItem } from '../../../components/menu.tsx';
import { useShortcut } from '../../../keys/shortcuts.tsx';
import { useSession } from '../../../session/gate.tsx';
import { likeliest } from '../likeliest.ts';
import type { IssueDetail } from '../queries.ts';
import { AdvanceDialog } from './advance-dialog.tsx';
import { type Offer, useOffers } from './offers.ts';
import { DispatchDialog } from './dispatch-dialog.tsx';
import { useMoving } from './moving.ts';
import { PauseDialog } from './pause-dialog.tsx';
import { PromptDialog } from './prompt-dialog.tsx';
import { RollbackDialog } from './rollback-dialog.tsx';

/** Beside the menu; more would not fit on a phone. */
const BUTTONS_MOST = 3;
const GROUP = 'Issue';

interface ActionBarProps {
  readonly id: string;
  readonly detail: IssueDetail | undefined;
  readonly hasQuestion: boolean;
}

export function ActionBar({ id, detail, hasQuestion }: ActionBarProps) {
  const { offers, dialog, close, isBusy } = useOffers(id, detail, hasQuestion);
  const { statuses } = useSession();
  const move = useMoving(id);
  const more = useRef<HTMLButtonElement>(null);
  const [menu, setMenu] = useState<'actions' | 'columns' | null>(null);
  const status = STATUSES.find((each) => each === detail?.issue.status);
  useShortcut({
    keys: '.',
    says: 'Everything that can be done',
    group: GROUP,
    run: () => setMenu('actions'),
  });
  useShortcut({ keys: 'm', says: 'Move to…', group: GROUP, run: () => setMenu('columns') });

  const actions: readonly MenuItem[] = [
    ...offers.map((offer) => ({ id: offer.id, says: <Entry of={offer} />, run: offer.run })),
    {
      id: 'move',
      says: <Entry of={{ says: 'Move to…', keys: 'm' }} />,
      staysOpen: true,
      run: () => setMenu('columns'),
    },
  ];
  const columns: readonly MenuItem[] = statuses.flatMap(({ status: name, column }) => {
    const to = STATUSES.find((each) => each === name);
    if (to === undefined) return [];
    const run = () => {
      if (to !== status) move(status, to);
    };
    return [{ id: name, says: column, isChosen: to === status, run }];
  });

  return (
    <div className="issue-actions" role="group" aria-label={`Actions on ${id}`}>
      {offers
        .filter(({ keys }) => keys !== undefined)
        .map((offer) => (
          <OfferKey key={offer.id} offer={offer} />
        ))}
      {offers.slice(0, BUTTONS_MOST).map((offer, index) => (
        <Button
          key={offer.id}
          look={index === 0 && URGENT.has(offer.id) ? 'main' : 'plain'}
          isBusy={isBusy}
          title={offer.keys === undefined ? undefined : `${offer.says} (${offer.keys})`}
          onClick={offer.run}
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
          onClose={() => setMenu((now) => (now === menu ? null : now))}
        />
      )}
      {dialog === 'prompt' && <PromptDialog issue={id} workers={detail?.workers ?? []} onClose={close} />}
      {dialog === 'pause' && <PauseDialog issue={id} onClose={close} />}
      {dialog === 'advance' && <AdvanceDialog issue={id} onClose={close} />}
      {dialog === 'dispatch' && (
        <DispatchDialog issue={id} suggested={suggested(status, detail)} onClose={close} />
      )}
      {dialog === 'rollback' && <RollbackDialog issue={id} onClose={close} />}
    </div>
  );
}

const URGENT: ReadonlySet<string> = new Set(['answer', 'approve', 'resume']);

function Entry({ of: { says, keys } }: { readonly of: Pick<Offer, 'says' | 'keys'> }) {
  return (
    <>
      <span className="menu-says">{says}</span>
      {keys !== undefined && <kbd aria-hidden="true">{keys}</kbd>}
    </>
  );
}

/** A component for each, for those that are offered change and hooks may not. */
function OfferKey({ offer: { keys = '', says, run } }: { readonly offer: Offer }) {
  useShortcut({ keys, says, group: GROUP, run });
  return null;
}

/** The mode the issue's column calls for. */
function suggested(status: Status | undefined, detail: IssueDetail | undefined) {
  switch (status) {
    case 'Todo':
      return 'plan';
    case 'In Progress':
      return 'implement';
    case 'Testing':
      return 'test';
    case 'Needs Review':
      return 'review';
    case 'Retro':
      return modeOfPhase('retro');
    case 'Triage':
    case 'Icebox':
    case 'Backlog':
    case 'Done':
    case undefined:
      return likeliest(detail?.workers ?? [])?.mode ?? 'architect';
  }
}
