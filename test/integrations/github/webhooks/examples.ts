/** Provides the example bodies that GitHub publishes for its webhooks. */
import published from '@octokit/webhooks-examples' with { type: 'json' };

export interface Body {
  readonly action?: unknown;
  readonly ref?: unknown;
  readonly [field: string]: unknown;
}

const ALL = published as unknown as readonly { readonly name: string; readonly examples: readonly Body[] }[];

export function examplesOf(event: string): readonly Body[] {
  return ALL.find(({ name }) => name === event)?.examples ?? [];
}

/** Returns the first example of this action. Throws if none is published. */
export function exampleOf(event: string, action?: string): Body {
  const found = examplesOf(event).find((body) => action === undefined || body.action === action);
  if (found === undefined) throw new Error(`no example is published for ${event} ${action}`);
  return found;
}

/** Returns a copy with other values at the given paths, such as `comment.body`. */
export function altered(body: Body, values: Readonly<Record<string, unknown>>): Body {
  const copy = structuredClone(body) as Record<string, unknown>;
  for (const [path, value] of Object.entries(values)) {
    const steps = path.split('.');
    const last = steps.pop() ?? '';
    let at = copy;
    for (const step of steps) at = at[step] as Record<string, unknown>;
    at[last] = value;
  }
  return copy;
}

export const publishedEvents: readonly string[] = ALL.map(({ name }) => name);
