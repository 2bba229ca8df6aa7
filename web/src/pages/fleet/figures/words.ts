/** The figures in sentences: what a chart says to those who do not see it. Pure. */

import { counted } from '../../../../../src/domain/format.ts';
import type { Figures } from '../../../../../src/protocol/dashboard.ts';
import type { Bar } from '../../../charts/bar.ts';
import { clock, day } from '../../../clock/words.ts';

const DAY_MS = 86_400_000;

export function doneIn({ throughput }: Figures): number {
  return throughput.reduce((sum, { done }) => sum + done, 0);
}

/** Each part ends where the next begins. */
export function barsOf({ throughput, to }: Figures, value: 'done' | 'usd'): readonly Bar[] {
  return throughput.map((part, index) => ({
    from: part.from,
    to: throughput[index + 1]?.from ?? to,
    value: part[value],
  }));
}

/** `14:00–15:00`, with the day where the whole reaches over several. */
export function partWords({ from, to }: Bar, whole: Pick<Figures, 'from' | 'to'>): string {
  if (to - from >= DAY_MS / 2) return `${day(from)} ${clock(from)} – ${day(to)} ${clock(to)}`;
  return `${whole.to - whole.from > DAY_MS ? `${day(from)} ` : ''}${clock(from)}–${clock(to)}`;
}

/** How often a kill was wrong, of those of which it is known. */
export function killWords({ right, wrong, unjudged }: Figures['kills']): string {
  const judged = right + wrong;
  const all = judged + unjudged;
  if (all === 0) return 'No worker was killed.';
  const killed = counted(all, 'worker was killed', 'workers were killed');
  const open = unjudged === 0 ? '' : ` Of ${unjudged} it is not known yet.`;
  if (judged === 0) return `${killed}. Whether that was right is not known yet.`;
  const rate = `${((wrong / judged) * 100).toLocaleString('en', { maximumFractionDigits: 1 })} %`;
  if (wrong === 0)
    return `${killed}, none of the ${judged} judged ones wrongly: a false-kill rate of 0 %.${open}`;
  return `${killed}; ${wrong} of the ${judged} judged ones wrongly: a false-kill rate of ${rate}.${open}`;
}
