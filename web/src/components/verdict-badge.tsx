/** What was found about a worker's health, in a word. */
import { Badge, type Tone } from './badge.tsx';

/** What is not listed is a reason to step in. */
const TONES: Readonly<Record<string, Tone>> = {
  healthy: 'good',
  starting: 'work',
  waiting: 'warn',
  suspicious: 'warn',
  unknown: 'warn',
  ended: 'neutral',
};

export function VerdictBadge({ verdict }: { readonly verdict: string }) {
  return <Badge tone={TONES[verdict] ?? 'bad'}>{verdict}</Badge>;
}
