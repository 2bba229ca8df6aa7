/** Describes the figures in sentences, for people who cannot see the charts. Pure. */

import { formatCount } from '../../../../../src/core/model/format.ts';
import type { LegionFigures } from '../../../../../src/protocol/dashboard.ts';
import type { ChartBar } from '../../../charts/bar.ts';
import { formatClockTime, formatDay } from '../../../clock/format-time.ts';

const DAY_MS = 86_400_000;

export function countDone({ throughput }: LegionFigures): number {
  return throughput.reduce((sum, { done }) => sum + done, 0);
}

/** Returns one bar per interval. Each interval ends when the next one begins. */
export function toBars({ throughput, to }: LegionFigures, value: 'done' | 'usd'): readonly ChartBar[] {
  return throughput.map((part, index) => ({
    from: part.from,
    to: throughput[index + 1]?.from ?? to,
    value: part[value],
  }));
}

/** Returns text such as `14:00–15:00`, with the day if the whole range spans several days. */
export function describePart({ from, to }: ChartBar, whole: Pick<LegionFigures, 'from' | 'to'>): string {
  if (to - from >= DAY_MS / 2)
    return `${formatDay(from)} ${formatClockTime(from)} – ${formatDay(to)} ${formatClockTime(to)}`;
  return `${whole.to - whole.from > DAY_MS ? `${formatDay(from)} ` : ''}${formatClockTime(from)}–${formatClockTime(to)}`;
}

/** Describes how many of the judged kills were wrong. */
export function describeKills({ right, wrong, unjudged }: LegionFigures['kills']): string {
  const judged = right + wrong;
  const all = judged + unjudged;
  if (all === 0) return 'No worker was killed.';
  const killed = formatCount(all, 'worker was killed', 'workers were killed');
  const open = unjudged === 0 ? '' : ` ${unjudged} not judged yet.`;
  if (judged === 0) return `${killed}. None judged yet.`;
  const rate = `${((wrong / judged) * 100).toLocaleString('en', { maximumFractionDigits: 1 })} %`;
  if (wrong === 0)
    return `${killed}; none of the ${judged} judged kills was wrong: a false-kill rate of 0 %.${open}`;
  return `${killed}; ${wrong} of the ${judged} judged kills ${wrong === 1 ? 'was' : 'were'} wrong: a false-kill rate of ${rate}.${open}`;
}
