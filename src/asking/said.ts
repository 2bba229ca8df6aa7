/** What a service, or somebody on the way to it, said, as a message may show it: on one line, short, and without secrets. */
import { HEADER_CREDENTIALS } from '../domain/secret-shapes.ts';

/** A sentence or two; a proxy's page or a query quoted back may be long. */
const SAID_MAX_CHARS = 300;

/**
 * `shapes` are those of the service's secrets. `secrets` are those of this very request: only they can come back in its answer,
 * in whatever shape they have.
 */
export function saidWithout(shapes: readonly RegExp[], text: string, secrets: readonly string[]): string {
  let shown = text;
  for (const secret of secrets) if (secret !== '') shown = shown.replaceAll(secret, '***');
  // Hidden before it is cut, so that no half of a secret stays.
  for (const shape of [...shapes, ...HEADER_CREDENTIALS]) shown = shown.replace(shape, '***');
  const line = shown.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return line.length > SAID_MAX_CHARS ? `${line.slice(0, SAID_MAX_CHARS)}…` : line;
}
