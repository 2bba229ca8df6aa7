/** Says which workers a move or a close of their issue has stopped. */
import { describeStopping } from '../../../domain/stopping.ts';
import type { MovedIssue } from '../../../protocol/stopping.ts';

export function listStoppedWorkers({ stoppedWorkers = [] }: MovedIssue, now: number): readonly string[] {
  return stoppedWorkers.map(({ mode, stopping }) => {
    const words = stopping === undefined ? 'stopped' : describeStopping(stopping, now);
    return `Its ${mode} worker is ${words}.`;
  });
}
