/** Everything a person can do with an issue: what is offered now, by which key, and what it asks first. */
import { useState } from 'react';
import { hasEnded } from '../../../../../src/domain/lifecycle.ts';
import { useConfirm } from '../../../components/confirm.tsx';
import { setFields } from '../../../router/location.ts';
import { at, type IssueDetail } from '../queries.ts';
import { useAct } from './act.ts';

export type DialogName = 'prompt' | 'pause' | 'advance' | 'dispatch' | 'rollback';

export interface Offer {
  readonly id: string;
  readonly says: string;
  readonly keys?: string;
  run(): void;
}

/** What is offered where it cannot be done is left out, so that every entry of the list works. */
export function useOffers(id: string, detail: IssueDetail | undefined, hasQuestion: boolean) {
  const act = useAct(id);
  const confirm = useConfirm();
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const labels = new Set(detail?.issue.labels);
  const workers = detail?.workers ?? [];
  const atWork = workers.filter(({ status }) => !hasEnded(status));
  const crashed = workers.filter(({ crashes, status }) => crashes > 0 || status === 'paused');
  const isOver = detail?.issue.status === 'Done' || detail?.issue.status === 'terminal';

  const post = (part: string, refused: string) =>
    act.mutate({ method: 'POST', path: at(id, part), body: {}, refused });
  const stop = async (worker: string, mode: string) => {
    const isAgreed = await confirm({
      title: `Stop the ${mode} worker`,
      text: 'It is asked to stop, and stopped if it does not. What it has committed stays; what it has in hand may be lost.',
      action: 'Stop it',
      isDangerous: true,
    });
    if (isAgreed)
      act.mutate({
        method: 'DELETE',
        path: `/workers/${encodeURIComponent(worker)}`,
        refused: 'It was not stopped',
      });
  };
  const approve = async () => {
    const isAgreed = await confirm({
      title: `Approve ${id}`,
      text: 'What it waits to have approved goes on from there. Your approval is written on the issue.',
      action: 'Approve',
    });
    if (isAgreed) post('/approve', 'It was not approved');
  };
  const reset = async (worker: string, mode: string) => {
    const isAgreed = await confirm({
      title: `Clear the crash count of ${mode}`,
      text: 'It may then be started again. If what made it crash is still there, it will crash again.',
      action: 'Clear it',
    });
    const path = `/workers/${encodeURIComponent(worker)}/crashes`;
    if (isAgreed) act.mutate({ method: 'DELETE', path, refused: 'The crash count was not cleared' });
  };

  const offers: readonly (Offer | false)[] =
    detail === undefined
      ? []
      : [
          hasQuestion && { id: 'answer', says: 'Answer', keys: 'a', run: answer },
          labels.has('needs-approval') &&
            !labels.has('human-approved') && {
              id: 'approve',
              says: 'Approve',
              keys: 'y',
              run: () => void approve(),
            },
          workers.length > 0 && {
            id: 'prompt',
            says: 'Say something…',
            keys: 'p',
            run: () => setDialog('prompt'),
          },
          !isOver && { id: 'advance', says: 'Advance…', keys: 'd', run: () => setDialog('advance') },
          labels.has('legion-paused')
            ? { id: 'resume', says: 'Resume', keys: 'w', run: () => post('/resume', 'It stays paused') }
            : !isOver && { id: 'pause', says: 'Pause…', keys: 'w', run: () => setDialog('pause') },
          !isOver && {
            id: 'dispatch',
            says: 'Dispatch a worker…',
            keys: 'D',
            run: () => setDialog('dispatch'),
          },
          ...crashed.map(({ id: worker, mode }) => ({
            id: `reset ${mode}`,
            says: `Clear the crashes of ${mode}…`,
            run: () => void reset(worker, mode),
          })),
          ...atWork.map(({ id: worker, mode }) => ({
            id: `stop ${mode}`,
            says: `Stop the ${mode} worker…`,
            run: () => void stop(worker, mode),
          })),
          (isOver || detail.pullRequest?.state === 'merged') && {
            id: 'rollback',
            says: 'Roll back…',
            run: () => setDialog('rollback'),
          },
        ];
  return {
    offers: offers.filter((offer) => offer !== false),
    dialog,
    close: () => setDialog(null),
    isBusy: act.isPending,
  };
}

/** The box is on another part of the page, which has to be there before it can have the focus. */
function answer(): void {
  setFields({ tab: null }, { replace: false });
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-answer] textarea')?.focus());
}
