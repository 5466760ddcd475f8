/** A planner that always takes its thread down. */
export function planner() {
  process.exit(1);
}
