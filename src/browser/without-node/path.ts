/** The part of a path after its last slash or backslash. */
export function basename(path: string): string {
  return path.replace(/^.*[/\\]/s, '');
}
