/** Several changes as one request. */
import type { Acting, GithubClient } from './client.ts';

/** One change: the name of GitHub's mutation and its input. */
export interface Step {
  readonly mutation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export function step(mutation: string, input: Step['input']): Step {
  return { mutation, input };
}

/** GitHub makes them in their order and does not stop at one that fails; without a step nothing is sent. */
export async function makeChanges(
  client: GithubClient,
  name: string,
  steps: readonly Step[],
  how: Acting = {},
): Promise<void> {
  if (steps.length === 0) return;
  const { document, variables } = inOneRequest(name, steps);
  await client.mutate(document, variables, how);
}

/** As it is sent; `name` is what the request is called. */
export function inOneRequest(
  name: string,
  steps: readonly Step[],
): { document: string; variables: Record<string, unknown> } {
  const declared = steps.map(({ mutation }, index) => `$s${index}: ${inputType(mutation)}!`);
  const made = steps.map(
    ({ mutation }, index) => `s${index}: ${mutation}(input: $s${index}) { clientMutationId }`,
  );
  return {
    document: `mutation ${name}(${declared.join(', ')}) {\n  ${made.join('\n  ')}\n}`,
    variables: Object.fromEntries(steps.map(({ input }, index) => [`s${index}`, input])),
  };
}

function inputType(mutation: string): string {
  return `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`;
}
