/** The output of a program that runs for Legion, without what looks like a secret. */
import {
  GITHUB_TOKENS,
  HEADER_CREDENTIALS,
  LINEAR_TOKENS,
  PRIVATE_KEYS,
} from '../../domain/secret-shapes.ts';
import { withoutTokens } from './without-tokens.ts';

const SHAPES = [...PRIVATE_KEYS, ...GITHUB_TOKENS, ...LINEAR_TOKENS, ...HEADER_CREDENTIALS];

export function withoutSecrets(text: string): string {
  return SHAPES.reduce((shown, shape) => shown.replace(shape, '[redacted]'), withoutTokens(text));
}
