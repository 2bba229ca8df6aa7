/** The version of this Legion, as its package says. */
import { readFileSync } from 'node:fs';

export function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return (manifest as { version: string }).version;
}
