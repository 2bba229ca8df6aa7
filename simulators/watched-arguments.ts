/**
 * Ensures that no argument is silently ignored: an argument that no resolver reads is rejected like
 * an unknown field.
 */
import type { GraphQLResolveInfo } from 'graphql';

interface WatchedArguments {
  readonly args: object;
  /** Throws if an argument was passed but not read. */
  check(): void;
}

/** `refuse` creates the error in the service's own format. */
export function watchArguments(
  args: Readonly<Record<string, unknown>>,
  info: GraphQLResolveInfo,
  refuse: (message: string) => Error,
): WatchedArguments {
  const given = (info.fieldNodes[0]?.arguments ?? [])
    .map(({ name }) => name.value)
    .filter((name) => args[name] != null);
  const outer = watch(args);
  const { input } = args;
  const inner =
    typeof input === 'object' && input !== null ? watch(input as Record<string, unknown>) : undefined;
  const shown = inner === undefined ? outer.proxy : { ...args, input: inner.proxy };
  return {
    args: shown,
    check() {
      const unread =
        inner === undefined
          ? given.filter((name) => !outer.read.has(name))
          : Object.entries(input as object).flatMap(([name, value]) =>
              value == null || inner.read.has(name) ? [] : [name],
            );
      if (unread.length === 0) return;
      throw refuse(
        `The simulator does not know the argument ${unread.join(', ')} of ${info.parentType.name}.${info.fieldName}`,
      );
    },
  };
}

function watch(values: Readonly<Record<string, unknown>>): {
  readonly proxy: object;
  readonly read: ReadonlySet<string>;
} {
  const read = new Set<string>();
  const proxy = new Proxy(values, {
    get(target, name) {
      if (typeof name === 'string') read.add(name);
      return Reflect.get(target, name);
    },
  });
  return { proxy, read };
}
