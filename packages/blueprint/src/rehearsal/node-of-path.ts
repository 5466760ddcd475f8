/** The node of a template at a path of its workflow: that of `pay[2]/pay-item` is `pay`. */
export function nodeOfPath(path: string): string {
  return path.split(/[[/]/, 1)[0];
}
