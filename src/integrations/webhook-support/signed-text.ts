/**
 * Verifies that a delivery is signed with the shared secret, and reads its headers and body. Both
 * services sign only the raw body.
 */
import { LegionError } from '../../core/model/fault.ts';
import type { WebhookDelivery } from '../../ports/webhooks.ts';

/** A service's signature scheme. */
export interface SigningScheme {
  /** The service's name in messages. */
  readonly service: string;
  readonly header: string;
  readonly form: RegExp;
  /** Returns whether the signature matches the body. Must run in constant time. */
  isOf(
    signature: string,
    body: { readonly bytes: Uint8Array; readonly text: string },
    secret: string,
  ): boolean | Promise<boolean>;
}

/**
 * Returns the body's text. Rejects an invalid signature, and rejects a missing one before reading
 * the body.
 */
export async function readSignedText(
  delivery: WebhookDelivery,
  secret: string | undefined,
  scheme: SigningScheme,
): Promise<string> {
  // An empty secret would protect nothing, because anyone could sign with it.
  if (secret === undefined || secret === '') {
    throw new LegionError('webhook.no_secret', `No secret is configured for ${scheme.service} webhooks`);
  }
  const signature = delivery.header(scheme.header.toLowerCase());
  if (signature === undefined || !scheme.form.test(signature)) {
    throw new LegionError('webhook.unsigned', `The delivery has no valid ${scheme.header} header`);
  }
  const bytes = await delivery.body();
  const text = decodeUtf8(bytes);
  if (text === undefined || text === '' || !(await scheme.isOf(signature, { bytes, text }, secret))) {
    throw new LegionError(
      'webhook.unsigned',
      'The signature does not match the body and the configured secret',
    );
  }
  return text;
}

/**
 * Decodes text so that encoding it again yields the same bytes: keeps a byte order mark and rejects
 * invalid UTF-8, which no service sends.
 */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns a header of a verified delivery if it has the service's format. */
export function requireHeader(
  delivery: WebhookDelivery,
  service: string,
  name: string,
  pattern: RegExp,
): string {
  const text = delivery.header(name);
  if (text === undefined || !pattern.test(text)) {
    throw new LegionError('input.invalid', `${name}: is missing or not in ${service}’s format`);
  }
  return text;
}

/** Parses the body as JSON. `next` tells the operator how to make the service send JSON. */
export function parseSignedJson(text: string, next: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new LegionError('http.body_invalid', `The body is signed but is not JSON: ${next}`, {
      cause: error,
    });
  }
}
