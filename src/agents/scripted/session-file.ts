/** Where a session is kept. */
import { join } from 'node:path';
import type { SessionId } from '../../core/model/ids.ts';

export function sessionFile(home: string, session: SessionId): string {
  return join(home, `${session}.jsonl`);
}
