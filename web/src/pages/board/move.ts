/** Moves an issue optimistically and reverts the move if the daemon refuses it. */
import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { describeMoveEffects } from '../../../../src/core/model/lifecycle.ts';
import type { Status } from '../../../../src/core/model/status.ts';
import type { DashboardCard } from '../../../../src/protocol/dashboard.ts';
import { useAnnounce } from '../../announce/announcer.tsx';
import { boardQuery } from '../../api/queries.ts';
import { createCall, sendRequest } from '../../api/request.ts';
import { useToasts } from '../../components/toast.tsx';

export interface CardMove {
  readonly id: string;
  /** Column before the move. `status` is undefined if the issue cannot be moved back. */
  readonly from: { readonly status: Status | undefined; readonly name: string };
  readonly to: { readonly status: Status; readonly name: string };
}

const KEY = ['move'];

export function useMove(): (move: CardMove) => void {
  const client = useQueryClient();
  const toasts = useToasts();
  const announce = useAnnounce();
  const { mutate } = useMutation({
    mutationKey: KEY,
    mutationFn: ({ id, to }: CardMove) =>
      sendRequest(createCall('POST /issues/:id/move', { params: { id }, body: { status: to.status } }), []),
    onSuccess: (answer, { id, from: { status, name }, to }) => {
      announce(`${id} moved to ${to.name}`);
      const undo = status && (() => mutate({ id, from: to, to: { status, name } }));
      toasts.show(`${id} moved to ${to.name}`, { undo, effects: describeMoveEffects(answer, Date.now()) });
    },
    onError: (error, { id, from }) => toasts.showError(`${id} stays in ${from.name}`, error),
    // Returns the promise, so that the move stays pending until the board has been refetched. While
    // it is pending, the move is shown on top of the old board.
    onSettled: () => client.invalidateQueries({ queryKey: boardQuery.queryKey }),
  });
  return mutate;
}

/** Returns the cards with all pending moves applied. */
export function useMovedCards(cards: readonly DashboardCard[]): readonly DashboardCard[] {
  const pending = useMutationState({
    filters: { mutationKey: KEY, status: 'pending' },
    select: ({ state }) => state.variables as CardMove,
  });
  return useMemo(() => {
    if (pending.length === 0) return cards;
    const latest = new Map(pending.map((move) => [move.id, move.to]));
    return cards.map((card) => {
      const to = latest.get(card.id);
      return to === undefined ? card : { ...card, status: to.status, column: to.name };
    });
  }, [cards, pending]);
}
