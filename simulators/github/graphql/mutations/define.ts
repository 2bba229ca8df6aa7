/** Wraps a mutation as a resolver that maps its input to its payload. */
import type { GithubResolver, GithubResolverContext } from '../context.ts';
import { SchemaValue } from '../shape.ts';

type MutationPayload = Readonly<Record<string, unknown>>;

/** `perform` receives the mutation's name for its error messages. */
export function defineMutation<I extends { readonly clientMutationId?: string | null | undefined }>(
  name: string,
  perform: (
    input: I,
    context: GithubResolverContext,
    name: string,
  ) => MutationPayload | Promise<MutationPayload>,
): Record<string, GithubResolver> {
  return {
    [name]: async (_: unknown, { input }: { input: I }, context: GithubResolverContext) =>
      new SchemaValue(`${name}Payload`, {
        clientMutationId: input.clientMutationId ?? null,
        ...(await perform(input, context, name)),
      }),
  };
}
