/** The addresses of an issue's page and of its parts. */
export function issuePath(id: string): string {
  return `/issues/${encodeURIComponent(id)}`;
}

/** What one life of a worker wrote, or its last one. */
export function transcriptPath(issue: string, mode: string, attempt?: number): string {
  const life = attempt === undefined ? '' : `&attempt=${attempt}`;
  return `${issuePath(issue)}?tab=transcript&worker=${mode}${life}`;
}
