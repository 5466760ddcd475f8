/**
 * The queue of tasks that ask models, beside that of the others of the build: most of them wait, so that workers take
 * more of them, and they keep no place from those that compute.
 *
 * @param tasks queue of the tasks of the build
 */
export function askingQueue(tasks: string): string {
  return `${tasks}+models`;
}
