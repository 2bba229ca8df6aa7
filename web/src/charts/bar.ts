/** One bar of a chart over time. */
export interface ChartBar {
  readonly from: number;
  readonly to: number;
  readonly value: number;
}
