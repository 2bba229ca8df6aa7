/** Parses JSON from outside for callers that validate it with a schema. */

/** Returns undefined for text that is not JSON. The schema then reports what is missing. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
