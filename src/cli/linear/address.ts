/** Where people see a team of Linear; its API does not say. */
import { LEGION_DEFAULTS } from '../../config/legion/schema.ts';
import type { Viewer } from '../../linear/client.ts';

/** Empty for a Linear that is somewhere else, which has no pages. */
export function teamAddress(url: string, { workspace }: Viewer, key: string): string {
  return url === LEGION_DEFAULTS.linear.url ? `https://linear.app/${workspace.urlKey}/team/${key}` : '';
}
