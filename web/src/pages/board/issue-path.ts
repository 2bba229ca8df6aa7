/** The address of an issue's page. */
export function issuePath(id: string): string {
  return `/issues/${encodeURIComponent(id)}`;
}
