/** One mutation as a resolver: its input in, its payload out. */
import type { Context, Resolver } from '../context.ts';
import { Shape } from '../shape.ts';

type Payload = Readonly<Record<string, unknown>>;

/** `perform` is given the mutation's name for the words it refuses with. */
export function mutation<I extends { readonly clientMutationId?: string | null | undefined }>(
  name: string,
  perform: (input: I, context: Context, name: string) => Payload | Promise<Payload>,
): Record<string, Resolver> {
  return {
    [name]: async (_: unknown, { input }: { input: I }, context: Context) =>
      new Shape(`${name}Payload`, {
        clientMutationId: input.clientMutationId ?? null,
        ...(await perform(input, context, name)),
      }),
  };
}
