/** What a worker does (mode) and what that is from the side (phase). */

export const MODES = ['architect', 'plan', 'implement', 'test', 'review', 'merge'] as const;
export type Mode = (typeof MODES)[number];

export const PHASES = ['architect', 'plan', 'implement', 'test', 'review', 'retro', 'merge'] as const;
export type Phase = (typeof PHASES)[number];

/** The identity a worker acts under, so that none can approve its own work. */
export type Role = 'impl' | 'review';

/** `finish` is what the first documents called `merge`. */
const ALIASES: Readonly<Record<string, Mode>> = { finish: 'merge' };

export function readMode(name: string): Mode | undefined {
  const wanted = name.trim().toLowerCase();
  return (
    MODES.find((mode) => mode === wanted) ?? (Object.hasOwn(ALIASES, wanted) ? ALIASES[wanted] : undefined)
  );
}

/** Retro has no mode of its own: it is the implement worker, resumed. */
export function modeOfPhase(phase: Phase): Mode {
  return phase === 'retro' ? 'implement' : phase;
}

/** Whoever writes code must not be the one who judges it. */
export function roleOf(mode: Mode): Role {
  return mode === 'implement' || mode === 'merge' ? 'impl' : 'review';
}
