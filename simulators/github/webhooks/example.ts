/** Provides real bodies of GitHub's webhooks as templates. */
import examples from '@octokit/webhooks-examples' with { type: 'json' };

/** The parts of GitHub's webhook bodies that the simulator changes. */
export interface WebhookBody {
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

/** Returns a copy of GitHub's example for this event and action, or for any action of the event. */
export function copyExample(event: string, action: string | undefined): WebhookBody {
  const all = examples as unknown as readonly {
    readonly name: string;
    readonly examples: readonly WebhookBody[];
  }[];
  const known = all.find(({ name }) => name === event)?.examples ?? [];
  const found = known.find((example) => example.action === action) ?? known[0];
  if (found === undefined) throw new Error(`No example of the webhook ${event}.`);
  return structuredClone(found);
}

/** Overrides the example with the given values and keeps the rest. */
export function mergeIntoExample(example: unknown, values: object): WebhookBody {
  return { ...(typeof example === 'object' && example !== null ? (example as WebhookBody) : {}), ...values };
}
