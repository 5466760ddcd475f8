// Charts of rows and bars over time: their model, and drawings as text and SVG (`alas-jssp/chart`).
export {
  type ChartBar,
  type ChartFault,
  type ChartLimit,
  type ChartRow,
  type ChartShade,
  EMPTY_ROW,
  type MissingFault,
  PLAIN_BAR,
} from './chart.js';
export { type ChartScale, drawChart, scaleOver } from './chart-svg.js';
export { jobColour } from './job-colours.js';
export type { AxisMark } from './time-axis.js';
