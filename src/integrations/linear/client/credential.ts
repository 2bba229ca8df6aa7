/**
 * Selects the Linear credential, builds its authorization header, and tests whether the credential
 * has write permission.
 */
import { randomUUID } from 'node:crypto';
import type { EnvironmentVariables } from '../../../core/model/environment.ts';
import { LegionError } from '../../../core/model/fault.ts';
import type { LinearClient } from './client.ts';

export interface LinearCredential {
  /** Linear expects a personal key without a prefix, and an OAuth app's token after `Bearer`. */
  readonly kind: 'api_key' | 'access_token';
  readonly value: string;
}

export interface ChosenCredential extends LinearCredential {
  /**
   * Description of the source for messages, such as `credentials.linear.api_key` or `the variable
   * LINEAR_API_KEY`. Never contains a secret.
   */
  readonly source: string;
}

export interface CredentialSources {
  /** Configured credentials, with references already resolved. Undefined if not configured. */
  readonly apiKey?: string | undefined;
  readonly accessToken?: string | undefined;
  readonly environment: EnvironmentVariables;
}

/**
 * Prefers configured credentials over the environment. Throws `linear.unauthorized` if there are
 * none.
 */
export function chooseLinearCredential({
  apiKey,
  accessToken,
  environment,
}: CredentialSources): ChosenCredential {
  const { LINEAR_API_KEY: apiKeyVariable } = environment;
  const candidates: readonly (readonly [LinearCredential['kind'], string | undefined, string])[] = [
    ['api_key', apiKey, 'credentials.linear.api_key'],
    ['access_token', accessToken, 'credentials.linear.access_token'],
    ['api_key', apiKeyVariable, 'the variable LINEAR_API_KEY'],
  ];
  for (const [kind, configured, source] of candidates) {
    const value = configured?.trim() ?? '';
    if (value !== '') return { kind, value, source };
  }
  throw new LegionError(
    'linear.unauthorized',
    'No Linear credential is set. Create a personal key in Linear under Settings, Security & access, and set credentials.linear.api_key, credentials.linear.access_token or the variable LINEAR_API_KEY',
  );
}

/**
 * Rejects values that are invalid in a header, because the resulting error would quote the secret.
 */
export function buildAuthorization({ kind, value }: LinearCredential): string {
  if (!/^[\x21-\x7e]{1,1000}$/.test(value))
    throw new LegionError(
      'linear.unauthorized',
      'The Linear credential is empty or contains invalid characters, such as a space or a line break',
    );
  return kind === 'api_key' ? value : `Bearer ${value}`;
}

/** `unknown` means that Linear's response was inconclusive. */
export type WriteAccess =
  | { readonly verdict: 'yes' }
  | { readonly verdict: 'no' | 'unknown'; readonly reason: string };

const CHANGE = 'mutation MayWrite($id: String!) { issueUpdate(id: $id, input: {}) { success } }';

/**
 * Sends an empty change to an issue that does not exist. If the key has write permission, Linear
 * reports a missing issue; otherwise it refuses earlier. Linear does not document that it checks
 * permissions first. Rejects if Linear is unavailable.
 */
export async function probeWriteAccess(client: LinearClient, signal: AbortSignal): Promise<WriteAccess> {
  try {
    await client.mutate(CHANGE, { id: randomUUID() }, { signal });
    return { verdict: 'unknown', reason: 'Linear claims to have changed an issue that does not exist' };
  } catch (error) {
    if (!(error instanceof LegionError) || error.retryable) throw error;
    const { code, message } = error;
    if (code === 'linear.missing') return { verdict: 'yes' };
    // Linear has just accepted the credential for reading, so only write permission can be missing.
    const isRefused = code === 'linear.forbidden' || code === 'linear.unauthorized';
    return { verdict: isRefused ? 'no' : 'unknown', reason: message };
  }
}

/**
 * Returns missing permissions, or an empty list if none is missing or the result is unknown.
 * Rejects if Linear is unavailable.
 */
export async function findMissingPermissions(
  client: LinearClient,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const access = await probeWriteAccess(client, signal);
  if (access.verdict !== 'no') return [];
  const reason = access.reason.replace(/\.$/, '');
  return [
    `Linear: the credential can read but not write: ${reason}. Create a key with the Write permission or a token with the write scope.`,
  ];
}
