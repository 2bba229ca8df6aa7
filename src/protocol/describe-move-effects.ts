/** Says which workers a move or a close of their issue has stopped, and what else follows from it. */
import { describeStopping } from '../domain/stopping.ts';
import type { MovedIssue } from './stopping.ts';

export type MoveEffects = Pick<MovedIssue, 'stoppedWorkers' | 'notes'>;

export function describeMoveEffects(
  { stoppedWorkers = [], notes = [] }: MoveEffects,
  now: number,
): readonly string[] {
  const stops = stoppedWorkers.map(({ mode, stopping }) => {
    const words = stopping === undefined ? 'stopped' : describeStopping(stopping, now);
    return `Its ${mode} worker is ${words}.`;
  });
  return [...stops, ...notes];
}
