/** JSON from outside, for callers that validate it with a schema anyway. */

/** Returns undefined for text that is not JSON; the schema then reports what is missing. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
