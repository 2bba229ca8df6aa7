/** A bar that is filled as far as something is used up; the words beside it say the same. */
import type { Tone } from '../../../components/badge.tsx';

interface MeterProps {
  /** What it shows, in words. */
  readonly name: string;
  /** Shares of the whole, one after the other; more than the whole is cut off. */
  readonly parts: readonly { readonly id: string; readonly share: number; readonly tone: Tone }[];
}

export function Meter({ name, parts }: MeterProps) {
  return (
    <div className="meter" role="img" aria-label={name}>
      {parts.map(({ id, share, tone }) => (
        <span key={id} className={`meter-part tone-${tone}`} style={{ width: `${percent(share)}%` }} />
      ))}
    </div>
  );
}

function percent(share: number): number {
  return Number.isFinite(share) ? Math.max(0, Math.min(1, share)) * 100 : 0;
}
