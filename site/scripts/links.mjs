import { posix } from 'node:path';
import { REPOSITORY } from './places.mjs';

const { dirname, join, relative } = posix;

/** A link with its target: `[text](target)` and `![text](target)`, or a definition `[text]: target`. */
const MARKDOWN = /(\]\(<?|^\[[^\]]+\]: <?)([^\s)>]+)/gm;
const HTML = /(\b(?:src|href)=")([^"]+)/g;
/** Code, in which nothing is a link: fenced and indented blocks, and spans. */
const CODE =
  /^( *)(```+|~~~+)[\s\S]*?^\1\2|(?<=\n\n)(?: {4}.*\n)+|(`+)[^`](?:[\s\S]*?[^`])?\3(?!`)/gm;

/** The path of a page on the site, which has the folders of the repository: README.md is the page of its folder. */
export function pagePath(file) {
  if (file === 'README.md') return 'about.md';
  return file.replace(/(^|\/)README\.md$/, '$1index.md');
}

/**
 * Rewrites the links of a page for the site. Links to other pages and to pictures stay relative; all others that stay
 * in the repository become links to the code host.
 *
 * @param text Markdown
 * @param file path of the page in the repository
 * @param isOnSite whether a path of the repository is a page or picture of the site
 * @param isFolder whether a path of the repository is a folder
 */
export function rewriteLinks(text, file, isOnSite, isFolder) {
  const rewrite = (target) => {
    if (/^(?:[a-z]+:|#|\/\/)/i.test(target)) return target;
    const [, path, rest] = /^([^#?]*)(.*)$/.exec(target);
    const full = join(dirname(file), decodeURI(path)).replace(/\/$/, '');
    const onSite = [full, `${full}/README.md`].find(isOnSite);
    if (onSite !== undefined) return relativeTo(pagePath(onSite), pagePath(file)) + rest;
    return `${REPOSITORY}/${isFolder(full) ? 'tree' : 'blob'}/main/${encodeURI(full)}${rest}`;
  };
  const inText = (part) =>
    part
      .replaceAll(MARKDOWN, (_, before, target) => before + rewrite(target))
      .replaceAll(HTML, (_, before, target) => before + rewrite(target));
  return outsideCode(text, inText);
}

function relativeTo(target, from) {
  const path = relative(dirname(from), target);
  return path.startsWith('.') ? path : `./${path}`;
}

/** Changes the text of a page, but not its code. */
function outsideCode(text, change) {
  let result = '';
  let end = 0;
  for (const match of text.matchAll(CODE)) {
    result += change(text.slice(end, match.index)) + match[0];
    end = match.index + match[0].length;
  }
  return result + change(text.slice(end));
}
