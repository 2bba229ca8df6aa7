/** The output of a program that runs for Legion, without what looks like a secret: it may be posted where strangers read. */
import { redactSecrets } from '../../lib/text/redact.ts';

const WORKER_TOKEN = /\blw1\.[\w-]+\.[\w-]+/g;

export function withoutSecrets(text: string): string {
  return redactSecrets(withoutTokens(text));
}

/** A worker may print its environment, and whoever had its token could speak for it. */
export function withoutTokens(text: string): string {
  return text.replace(WORKER_TOKEN, '[redacted]');
}
