/** The output of a program that runs for Legion, without what looks like a secret: it may be posted where strangers read. */
import {
  GITHUB_TOKENS,
  HEADER_CREDENTIALS,
  LINEAR_TOKENS,
  NAMED_SECRETS,
  PRIVATE_KEYS,
  PROVIDER_KEYS,
} from '../../domain/secret-shapes.ts';
import { withoutTokens } from './without-tokens.ts';

const SHAPES = [
  ...PRIVATE_KEYS,
  ...GITHUB_TOKENS,
  ...LINEAR_TOKENS,
  ...PROVIDER_KEYS,
  ...HEADER_CREDENTIALS,
  ...NAMED_SECRETS,
];

export function withoutSecrets(text: string): string {
  return SHAPES.reduce((shown, shape) => shown.replace(shape, '[redacted]'), withoutTokens(text));
}
