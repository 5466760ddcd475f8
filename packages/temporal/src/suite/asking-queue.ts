/**
 * The queue of tasks that ask models, next to that of the build's other tasks: most of them wait, so
 * that workers take more of them, and they use no slots of computing tasks.
 *
 * @param tasks queue of the tasks of the build
 */
export function askingQueue(tasks: string): string {
  return `${tasks}+models`;
}
