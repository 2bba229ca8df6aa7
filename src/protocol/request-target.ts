/**
 * Builds the target of a request: an endpoint's path with its parameters and query filled in.
 * Imports no schemas, because the dashboard loads this module.
 */

/** Encodes every value, so that none of them can lead to another endpoint. */
export function toRequestTarget(
  path: string,
  params: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
}
