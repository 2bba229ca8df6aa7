/** `error`: the phase cannot be finished; it ends the attempt, and whether another one follows is decided elsewhere. */
import type { Saying } from '../saying.ts';
import { lateAnswer, takeReport } from '../take-report.ts';

export const error: Saying<'error'> = async (world, who, { summary }) => {
  const taken = await takeReport(world, who, { outcome: 'error', summary });
  if (taken === 'late') return lateAnswer(who);
  world.wake(who.issue);
  return { durable: true, accepted: true, says: 'Your report is recorded. End your turn.' };
};
