/** One bar of a chart over time. */
export interface Bar {
  readonly from: number;
  readonly to: number;
  readonly value: number;
}
