/** Which credential for Linear a configuration leads to, in words and without reading it. */
import type { LegionConfig } from '../../config/legion/schema.ts';
import type { Environment } from '../../domain/environment.ts';
import { linearCredential } from '../../linear/credential.ts';

/** Rejects with `linear.unauthorized` where there is none. References stand for the secrets they lead to: only the words are wanted. */
export function credentialWords({ credentials: { linear } }: LegionConfig, environment: Environment): string {
  return linearCredential({ apiKey: linear.api_key, accessToken: linear.access_token, environment }).words;
}
