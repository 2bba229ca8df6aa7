/** A word in a small box; its colour only repeats what the word says. */
import type { ReactNode } from 'react';

/** What a colour stands for, everywhere. */
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
