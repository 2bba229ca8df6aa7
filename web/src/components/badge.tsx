/** A word in a small box. The colour of the box only repeats the meaning of the word. */
import type { ReactNode } from 'react';

/** Meaning of a colour, the same on every page. */
export type Tone = 'neutral' | 'work' | 'good' | 'warn' | 'bad' | 'accent';

interface BadgeProps {
  readonly tone?: Tone;
  readonly title?: string;
  readonly children: ReactNode;
}

export function Badge({ tone = 'neutral', title, children }: BadgeProps) {
  return (
    <span className={`badge tone-${tone}`} title={title}>
      {children}
    </span>
  );
}
