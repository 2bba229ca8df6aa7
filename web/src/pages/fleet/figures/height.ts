/**
 * Height in pixels of every time-series chart. They share one height because they are side by side.
 */
export const CHART_HEIGHT = 180;
