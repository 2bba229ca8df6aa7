/** What the operator's configuration asks of the loop, as plain values; a reload replaces them. */
import type { ColumnNames } from '../core/model/status.ts';
import type { Places } from '../core/pipeline/order.ts';
import type { Budgets } from '../health/budget.ts';
import type { HealthLimits } from '../health/limits.ts';

export interface Settings {
  readonly autoAdvance: boolean;
  readonly columns: ColumnNames;
  readonly places: Places;
  /** The least time between two starts, in ms. */
  readonly staggerMs: number;
  /** How long a `retry_` may wait before a person is told, in ms. */
  readonly checkWaitMs: number;
  readonly health: Partial<HealthLimits>;
  readonly budgets: Budgets;
  readonly polling: Polling;
  /** Room the host must have for one more worker, in bytes. */
  readonly room: { readonly diskBytes: number; readonly memoryBytes: number };
}

interface Polling {
  readonly normalMs: number;
  /** The holding pattern: after so many polls that showed nothing new, this long. */
  readonly holding: readonly { readonly unchanged: number; readonly ms: number }[];
}
