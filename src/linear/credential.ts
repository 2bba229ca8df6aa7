/** Which credential Legion uses for Linear, what it is called, and how it is sent. */

import { LegionError } from '../core/model/fault.ts';
import type { Environment } from '../domain/environment.ts';

export interface Credential {
  /** Linear takes a personal key as it is, and the token of an OAuth app as `Bearer`. */
  readonly kind: 'api_key' | 'access_token';
  readonly value: string;
}

export interface ChosenCredential extends Credential {
  /** For people: `credentials.linear.api_key`, `the variable LINEAR_API_KEY`. Never a secret. */
  readonly words: string;
}

export interface CredentialSources {
  /** What the configuration's references have led to; undefined where it has none. */
  readonly apiKey?: string | undefined;
  readonly accessToken?: string | undefined;
  readonly environment: Environment;
}

/** What is configured goes before what lies about; `linear.unauthorized` where there is nothing. */
export function linearCredential({ apiKey, accessToken, environment }: CredentialSources): ChosenCredential {
  const { LINEAR_API_KEY: ambient } = environment;
  const candidates: readonly (readonly [Credential['kind'], string | undefined, string])[] = [
    ['api_key', apiKey, 'credentials.linear.api_key'],
    ['access_token', accessToken, 'credentials.linear.access_token'],
    ['api_key', ambient, 'the variable LINEAR_API_KEY'],
  ];
  for (const [kind, given, words] of candidates) {
    const value = given?.trim() ?? '';
    if (value !== '') return { kind, value, words };
  }
  throw new LegionError(
    'linear.unauthorized',
    'neither credentials.linear.api_key nor credentials.linear.access_token nor the variable LINEAR_API_KEY is set; make a personal key in Linear under Settings, Security & access',
  );
}

/** A header takes no line break, and the complaint about one would quote the secret. */
export function authorizationOf({ kind, value }: Credential): string {
  if (!/^[\x21-\x7e]{1,1000}$/.test(value))
    throw new LegionError(
      'linear.unauthorized',
      'the credential for Linear is empty or has characters that no key has, such as a space or a line break',
    );
  return kind === 'api_key' ? value : `Bearer ${value}`;
}
