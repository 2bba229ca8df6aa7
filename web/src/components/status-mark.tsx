/** Shows a worker's state as a shape, a colour and a word. */
import {
  isLive,
  isWaiting,
  type LifecycleState,
  type PendingStop,
} from '../../../src/core/model/lifecycle.ts';
import type { Tone } from './badge.tsx';

const STATE_LABELS: Readonly<Record<LifecycleState, string>> = {
  spawned: 'starting',
  executing: 'working',
  reporting: 'reporting',
  finished: 'finished',
  'waiting-user': 'waiting for you',
  'waiting-quota': 'waiting for quota',
  crashed: 'crashed',
  paused: 'paused',
  stopped: 'stopped',
};

interface StatusMarkProps {
  readonly state: LifecycleState;
  /** Set while the worker is being stopped and its process has not exited yet. */
  readonly stopping?: PendingStop | undefined;
  /** True after the process has exited and before the outcome is decided. */
  readonly hasExited?: boolean | undefined;
  /**
   * True if the word is shown elsewhere. Only the shape is shown then, and the word is its
   * accessible name.
   */
  readonly isAlone?: boolean;
}

export function StatusMark({ state, stopping, hasExited = false, isAlone = false }: StatusMarkProps) {
  const word = stopping !== undefined ? 'stopping' : hasExited ? 'exited' : STATE_LABELS[state];
  const shape = <span className={`dot dot-${state}`} aria-hidden={!isAlone || undefined} />;
  if (isAlone) {
    return (
      <span className={`state tone-${getStateTone(state)}`} role="img" aria-label={word} title={word}>
        {shape}
      </span>
    );
  }
  return (
    <span className={`state tone-${getStateTone(state)}`}>
      {shape}
      {word}
    </span>
  );
}

function getStateTone(state: LifecycleState): Tone {
  if (isLive(state)) return 'work';
  if (state === 'finished') return 'good';
  if (state === 'crashed' || state === 'paused') return 'bad';
  return isWaiting(state) ? 'warn' : 'neutral';
}
