/** Moving an issue: shown at once, and undone by itself where the daemon refuses. */
import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Status } from '../../../../src/core/model/status.ts';
import type { Card } from '../../../../src/protocol/dashboard.ts';
import { describeMoveEffects } from '../../../../src/protocol/describe-move-effects.ts';
import { useAnnounce } from '../../announce/announcer.tsx';
import { boardQuery } from '../../api/queries.ts';
import { call, request } from '../../api/request.ts';
import { useToasts } from '../../components/toast.tsx';

export interface Move {
  readonly id: string;
  /** Without a status where it cannot be moved back. */
  readonly from: { readonly status: Status | undefined; readonly name: string };
  readonly to: { readonly status: Status; readonly name: string };
}

const KEY = ['move'];

export function useMove(): (move: Move) => void {
  const client = useQueryClient();
  const toasts = useToasts();
  const announce = useAnnounce();
  const { mutate } = useMutation({
    mutationKey: KEY,
    mutationFn: ({ id, to }: Move) =>
      request(call('POST /issues/:id/move', { params: { id }, body: { status: to.status } }), []),
    onSuccess: (answer, { id, from: { status, name }, to }) => {
      announce(`${id} moved to ${to.name}`);
      const undo = status && (() => mutate({ id, from: to, to: { status, name } }));
      toasts.say(`${id} moved to ${to.name}`, { undo, effects: describeMoveEffects(answer, Date.now()) });
    },
    onError: (error, { id, from }) => toasts.complain(`${id} stays in ${from.name}`, error),
    // Awaited: the move is pending, and laid over the board, until the board itself shows it.
    onSettled: () => client.invalidateQueries({ queryKey: boardQuery.queryKey }),
  });
  return mutate;
}

/** The cards as they will be once the moves that are under way have happened. */
export function useMovedCards(cards: readonly Card[]): readonly Card[] {
  const pending = useMutationState({
    filters: { mutationKey: KEY, status: 'pending' },
    select: ({ state }) => state.variables as Move,
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
