/** What a repository asks of the worker of a phase: its own words, and skills to read. */
import type { Phase } from '../../domain/mode.ts';
import type { RepositoryConfig } from './schema.ts';

/** Undefined where it asks for nothing. It is data from outside: whoever shows it to an agent fences it. */
export function instructionsOf(
  { phases, testing, skills }: RepositoryConfig,
  phase: Phase,
): string | undefined {
  const own = phases[phase as keyof typeof phases];
  const wanted = new Set([...skills.required, ...(own?.skills ?? [])]);
  const said = [
    own?.instructions,
    phase === 'test' ? testing.instructions : undefined,
    wanted.size === 0
      ? undefined
      : `Read these skills before you begin, where you have them: ${[...wanted].join(', ')}.`,
  ];
  return said.filter(Boolean).join('\n') || undefined;
}
