import { basename } from 'node:path';

/** Where the bytes of an instance come from. */
export interface FileSource {
  /** The file as the user named it; errors begin with it. */
  file?: string | undefined;
  /** What the instance is called; without a file, a name inside the bytes (JSON) goes first. */
  name: string;
}

/** What instance files end in, with or without compression. */
export const instanceFileEnding = /\.(txt|jsp|jssp|std|json)(\.gz)?$/i;

/** The name of the instance in a file, without folder and endings: `ta01.txt.gz` holds `ta01`. */
export function instanceName(path: string): string {
  const file = basename(path);
  return file.replace(instanceFileEnding, '').replace(/\.gz$/i, '') || file;
}
