/** Shows the verdict on a worker's health as one word. */
import { Badge, type Tone } from './badge.tsx';

/** Colours of the verdicts. Any other verdict is shown in red, because it needs a person. */
const VERDICT_TONES: Readonly<Record<string, Tone>> = {
  healthy: 'good',
  starting: 'work',
  waiting: 'warn',
  suspicious: 'warn',
  unknown: 'warn',
  ended: 'neutral',
};

export function VerdictBadge({ verdict }: { readonly verdict: string }) {
  return <Badge tone={VERDICT_TONES[verdict] ?? 'bad'}>{verdict}</Badge>;
}
