import { basename } from 'node:path';

/** Where the bytes of an instance come from. */
export interface FileSource {
  /** The file as the user named it; errors begin with it. */
  file?: string | undefined;
  /** What the instance is called, unless the file itself says. */
  name: string;
}

/** Endings that belong to the format and not to the name: `ta01.txt.gz` holds `ta01`. */
const FORMAT_ENDING = /\.(txt|jsp|jssp|std|json)$/i;

/** The name of the instance in a file: the file's name without folder and format endings. */
export function instanceName(path: string): string {
  const file = basename(path);
  return file.replace(/\.gz$/i, '').replace(FORMAT_ENDING, '') || file;
}
