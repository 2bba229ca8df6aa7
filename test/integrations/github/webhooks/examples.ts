/** Real bodies of GitHub's webhooks. */
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

/** The first of this action; a test that asks for one that is not published fails. */
export function exampleOf(event: string, action?: string): Body {
  const found = examplesOf(event).find((body) => action === undefined || body.action === action);
  if (found === undefined) throw new Error(`there is no example of ${event} ${action}`);
  return found;
}

/** A copy with other values at some places, each as in `comment.body`. */
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
