/** Whether a delivery comes from who knows the secret: GitHub signs the raw body, and nothing but the body. */
import { verify } from '@octokit/webhooks-methods';
import { LegionError } from '../../domain/fault.ts';
import type { Delivery } from '../receiver.ts';

const SIGNATURE = /^sha256=[0-9a-f]{64}$/;

/** Resolves to the body's text; refuses what is not signed, before it has read a body that has no signature at all. */
export async function signedText(delivery: Delivery, secret: string | undefined): Promise<string> {
  // An empty secret is one that everybody knows.
  if (secret === undefined || secret === '') {
    throw new LegionError('webhook.no_secret', 'no secret is configured for webhooks of GitHub');
  }
  const signature = delivery.header('x-hub-signature-256');
  if (signature === undefined || !SIGNATURE.test(signature)) {
    throw new LegionError('webhook.unsigned', 'the delivery has no X-Hub-Signature-256');
  }
  const text = exactText(await delivery.body());
  // The comparison takes the same time wherever the difference is.
  if (text === undefined || text === '' || !(await verify(secret, text, signature))) {
    throw new LegionError(
      'webhook.unsigned',
      'the signature is not that of this body with the configured secret',
    );
  }
  return text;
}

/**
 * The library signs text. Text that was read in this way has the same bytes again when it is written: a byte order mark is kept,
 * and bytes that are no UTF-8, which GitHub never sends, are nobody's text.
 */
function exactText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
