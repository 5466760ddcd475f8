import { basename } from 'node:path';

/** The source of the bytes of an instance. */
export interface FileSource {
  /** The file name as the user gave it, for error messages. */
  file?: string | undefined;
  /** The name of the instance; without a file, a name inside the bytes (JSON) takes precedence. */
  name: string;
}

/** The endings of instance files, with or without compression. */
export const instanceFileEnding = /\.(txt|jsp|jssp|std|fjs|json)(\.gz)?$/i;

/** The ending of files of flexible job shops. */
export const flexibleFileEnding = /\.fjs(\.gz)?$/i;

/** The name of the instance in a file, without folder and endings: `ta01` for `ta01.txt.gz`. */
export function instanceName(path: string): string {
  const file = basename(path);
  return file.replace(instanceFileEnding, '').replace(/\.gz$/i, '') || file;
}
