/** Paths of an issue's page and its tabs. */
export function toIssuePath(id: string): string {
  return `/issues/${encodeURIComponent(id)}`;
}

/** Returns the path of an attempt's transcript. `attempt` defaults to the latest attempt. */
export function toTranscriptPath(issue: string, mode: string, attempt?: number): string {
  const attemptField = attempt === undefined ? '' : `&attempt=${attempt}`;
  return `${toIssuePath(issue)}?tab=transcript&worker=${mode}${attemptField}`;
}
