/** Pixels of a drawing over time; all of them stand side by side. */
export const CHART_HEIGHT = 180;
