/** Real bodies of GitHub's webhooks, as templates. */
import examples from '@octokit/webhooks-examples' with { type: 'json' };

/** Of all that GitHub writes into its bodies, what is changed here. */
export interface Body {
  action?: unknown;
  after?: unknown;
  before?: unknown;
  changes?: unknown;
  check_run?: unknown;
  check_suite?: unknown;
  comment?: unknown;
  commit?: unknown;
  hook?: unknown;
  installation?: unknown;
  issue?: unknown;
  label?: unknown;
  number?: unknown;
  organization?: unknown;
  projects_v2_item?: unknown;
  pull_request?: unknown;
  pull_requests?: unknown;
  repository?: unknown;
  review?: unknown;
  sender?: unknown;
  [other: string]: unknown;
}

/** A copy of the example of this event and action, or of any of its actions. */
export function exampleOf(event: string, action: string | undefined): Body {
  const all = examples as unknown as readonly { readonly name: string; readonly examples: readonly Body[] }[];
  const known = all.find(({ name }) => name === event)?.examples ?? [];
  const found = known.find((example) => example.action === action) ?? known[0];
  if (found === undefined) throw new Error(`there is no example of the webhook ${event}`);
  return structuredClone(found);
}

/** What is given takes the place of what the example says; the rest of the example stays. */
export function filled(example: unknown, values: object): Body {
  return { ...(typeof example === 'object' && example !== null ? (example as Body) : {}), ...values };
}
