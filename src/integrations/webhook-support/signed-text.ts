/** Whether a delivery comes from who knows the secret: both services sign the raw body, and nothing but the body. */
import { LegionError } from '../../core/model/fault.ts';
import type { Delivery } from '../../envoy/receiver.ts';

/** How a service signs. */
export interface SigningScheme {
  /** The service's name in messages. */
  readonly service: string;
  readonly header: string;
  readonly form: RegExp;
  /** Must take the same time wherever the difference is. */
  isOf(
    signature: string,
    body: { readonly bytes: Uint8Array; readonly text: string },
    secret: string,
  ): boolean | Promise<boolean>;
}

/** Resolves to the body's text; refuses what is not signed, before it has read a body that has no signature at all. */
export async function signedText(
  delivery: Delivery,
  secret: string | undefined,
  scheme: SigningScheme,
): Promise<string> {
  // An empty secret is one that everybody knows.
  if (secret === undefined || secret === '') {
    throw new LegionError('webhook.no_secret', `no secret is configured for webhooks of ${scheme.service}`);
  }
  const signature = delivery.header(scheme.header.toLowerCase());
  if (signature === undefined || !scheme.form.test(signature)) {
    throw new LegionError('webhook.unsigned', `the delivery has no ${scheme.header}`);
  }
  const bytes = await delivery.body();
  const text = exactText(bytes);
  if (text === undefined || text === '' || !(await scheme.isOf(signature, { bytes, text }, secret))) {
    throw new LegionError(
      'webhook.unsigned',
      'the signature is not that of this body with the configured secret',
    );
  }
  return text;
}

/**
 * Text that was read in this way has the same bytes again when it is written: a byte order mark is kept, and bytes that are
 * no UTF-8, which no service sends, are nobody's text.
 */
function exactText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
