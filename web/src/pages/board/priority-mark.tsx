/** Shows an issue's priority as bars, with the word as tooltip. */
import type { DashboardCard } from '../../../../src/protocol/dashboard.ts';

const PRIORITY_LABELS = ['no priority', 'urgent', 'high', 'medium', 'low'] as const;
const BARS = [1, 2, 3] as const;

export function PriorityMark({ priority }: { readonly priority: DashboardCard['priority'] }) {
  if (priority === 0) return null;
  const word = PRIORITY_LABELS[priority];
  if (priority === 1) {
    return (
      <svg
        className="priority is-urgent"
        viewBox="0 0 14 14"
        width="14"
        height="14"
        role="img"
        aria-label="Priority: urgent"
      >
        <title>Priority: urgent</title>
        <rect width="14" height="14" rx="3" stroke="none" />
        <path d="M7 3v4.6M7 10.6v.01" strokeWidth="2" strokeLinecap="round" />
      </svg>
    );
  }
  // High has three bars, medium two, low one.
  const full = 5 - priority;
  return (
    <svg
      className="priority"
      viewBox="0 0 12 12"
      width="12"
      height="12"
      role="img"
      aria-label={`Priority: ${word}`}
    >
      <title>{`Priority: ${word}`}</title>
      {BARS.map((bar) => (
        <rect
          key={bar}
          x={(bar - 1) * 4.25}
          y={12 - bar * 4}
          width="3"
          height={bar * 4}
          rx="1"
          className={bar <= full ? 'is-full' : ''}
        />
      ))}
    </svg>
  );
}
