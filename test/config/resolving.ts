/**
 * Shorthand that resolves a configuration text and returns the value or the error of the result
 * directly.
 */

import { type ConfigInputs, type ResolvedConfig, resolveConfig } from '../../src/config/legion/resolve.ts';
import type { Fault, Result } from '../../src/core/model/fault.ts';

export function resolving(text: string, others: Partial<ConfigInputs> = {}): Result<ResolvedConfig> {
  return resolveConfig({ flags: [], environment: {}, file: { path: 'legion.yaml', text }, ...others });
}

export function accepted<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new Error(`refused: ${result.fault.message}`);
}

export function refusalOf(result: Result<unknown>): Fault {
  if (!result.ok) return result.fault;
  throw new Error('was accepted, but should have been refused');
}
