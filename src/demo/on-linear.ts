/** The parts of the demo's configuration that put its board into a Linear. */
import type { ColumnNames } from '../domain/status.ts';

export interface DemoLinear {
  /** Such as `http://127.0.0.1:8080`, without a slash at its end. */
  readonly url: string;
  /** UUID of the team. */
  readonly team: string;
  /** Its value is the key of the person and of Legion itself. */
  readonly keyVariable: string;
  /** States of the team that are not called as the status is. */
  readonly statuses: ColumnNames;
}

export function boardOnLinear({ url, team, statuses }: DemoLinear): string {
  // JSON is YAML, and quotes whatever needs it.
  const named = Object.keys(statuses).length === 0 ? '' : `\nstatuses: ${JSON.stringify(statuses)}`;
  return `legion: ${team}
backend: linear
linear: { url: ${JSON.stringify(url)} }${named}`;
}

/** Below `credentials`. */
export function linearCredentials({ keyVariable }: DemoLinear): string {
  return `  linear: { api_key: env:${keyVariable} }`;
}
