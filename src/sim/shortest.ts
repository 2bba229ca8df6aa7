/** A failing story with everything left out of it that it does not need to fail. */
import { KINDS, type Kind } from './calm.ts';
import { type Told, tellStory } from './story.ts';

export interface Shortest {
  readonly told: Told;
  /** Kinds of trouble without which it does not fail. */
  readonly needs: readonly Kind[];
}

/** One kind after the other is left out, for good where it fails all the same. */
export async function shortest(seed: number): Promise<Shortest> {
  const without = new Set<Kind>();
  let told = await tellStory(seed);
  for (const kind of KINDS) {
    const calmer = await tellStory(seed, new Set([...without, kind]));
    if (calmer.ok) continue;
    without.add(kind);
    told = calmer;
  }
  return { told, needs: KINDS.filter((kind) => !without.has(kind)) };
}

/** The lines that are about what broke, and what happened to everybody. */
export function aboutIt({ broken, story }: Told): readonly string[] {
  const issues = new Set(
    broken.flatMap((what) => what.match(/sim-\d+/gi) ?? []).map((id) => id.toLowerCase()),
  );
  return story.filter((line) => {
    const named = line.match(/sim-\d+/gi)?.map((id) => id.toLowerCase()) ?? [];
    return named.length === 0 || named.some((id) => issues.has(id));
  });
}
