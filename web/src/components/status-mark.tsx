/** A worker's state as a shape, a colour and a word. */
import { isLive, isWaiting, type LifecycleState } from '../../../src/domain/lifecycle.ts';
import type { Stopping } from '../../../src/domain/stopping.ts';
import type { Tone } from './badge.tsx';

const WORDS: Readonly<Record<LifecycleState, string>> = {
  spawned: 'starting',
  executing: 'working',
  reporting: 'reporting',
  finished: 'finished',
  'waiting-user': 'waits for you',
  'waiting-quota': 'waits for quota',
  crashed: 'crashed',
  paused: 'paused',
  stopped: 'stopped',
};

interface StatusMarkProps {
  readonly state: LifecycleState;
  /** It was stopped, and its process has not ended yet. */
  readonly stopping?: Stopping | undefined;
  /** Its process has ended, and what that means is not decided yet. */
  readonly hasExited?: boolean | undefined;
  /** The word stands elsewhere: then the shape has it as its name. */
  readonly isAlone?: boolean;
}

export function StatusMark({ state, stopping, hasExited = false, isAlone = false }: StatusMarkProps) {
  const word = stopping !== undefined ? 'stopping' : hasExited ? 'exited' : WORDS[state];
  const shape = <span className={`dot dot-${state}`} aria-hidden={!isAlone || undefined} />;
  if (isAlone) {
    return (
      <span className={`state tone-${toneOf(state)}`} role="img" aria-label={word} title={word}>
        {shape}
      </span>
    );
  }
  return (
    <span className={`state tone-${toneOf(state)}`}>
      {shape}
      {word}
    </span>
  );
}

function toneOf(state: LifecycleState): Tone {
  if (isLive(state)) return 'work';
  if (state === 'finished') return 'good';
  if (state === 'crashed' || state === 'paused') return 'bad';
  return isWaiting(state) ? 'warn' : 'neutral';
}
