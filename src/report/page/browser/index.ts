// Parts of this page for other pages, which bundle their sources: `alas-jssp/page/parts`.
export type { ChartDrag, PlaceVerdict } from './gantt/chart-drag.js';
export { GanttChart } from './gantt/gantt-chart.js';
export { CheckBox } from './parts/check-box.js';
export { DataTable, type TableColumn } from './parts/data-table.js';
export { Boundary } from './shell/boundary.js';
export { routeTo, useRoute } from './shell/route.js';
export { restoreTheme, toggleTheme } from './shell/theme.js';
