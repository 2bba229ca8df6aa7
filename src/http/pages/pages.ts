/** The dashboard's pages and files: static, without a secret in them, and so without a token. */
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { LegionError } from '../../domain/fault.ts';
import { shown } from '../../domain/shown.ts';
import { type Answer, textAnswer } from '../answer.ts';
import { codedAnswer } from '../fault-answer.ts';
import { hasAlready } from '../unchanged.ts';
import { chosenEncoding } from './chosen-encoding.ts';
import { type ListedFiles, listFiles } from './listed-files.ts';
import { PAGE_HEADERS } from './page-headers.ts';
import { UNBUILT_PAGE } from './unbuilt-page.ts';

/** Where everything lies. */
const HOME = '/ui/';
const INDEX = 'index.html';
/** Vite puts a hash of the content into each name below it. */
const HASHED = 'assets/';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
};

interface PageRequest {
  readonly method: string;
  /** As it came, without what is behind a question mark. */
  readonly path: string;
  readonly header: (name: string) => string | undefined;
}

export interface Pages {
  answer(asked: PageRequest): Promise<Answer>;
}

/** The path of a page or file that is asked for; undefined where it is something else. Nothing is decoded. */
export function pagePath(url = ''): string | undefined {
  const [path = ''] = url.split('?');
  return path === '/' || path === '/ui' || path.startsWith(HOME) ? path : undefined;
}

/** The folder need not be there, and may be another when a page is opened the next time. */
export function openPages(folderNow: () => string | undefined): Pages {
  const list = async () => {
    const folder = folderNow();
    return folder === undefined ? NOTHING : listFiles(folder);
  };
  let listed = list();
  // Whoever asks hears of it; until then nobody does.
  listed.catch(() => undefined);

  return {
    async answer({ method, path, header }) {
      if (method !== 'GET' && method !== 'HEAD') return notAllowed(method, path);
      if (!path.startsWith(HOME)) return moved();
      const name = path.slice(HOME.length);
      if (isFileName(name)) return fileAnswer(await listed, name, header);
      // Opening a page is rare: the moment to see whether it was built, or replaced by a newer version.
      listed = list();
      const files = await listed;
      return files.has(INDEX) ? fileAnswer(files, INDEX, header) : unbuilt();
    },
  };
}

const NOTHING: ListedFiles = { has: () => false, encodingsOf: () => [], read: async () => undefined };

/** Everything else is a page, which the script in it shows: an id of an issue may have dots, too. */
function isFileName(name: string): boolean {
  return name.startsWith(HASHED) || Object.hasOwn(TYPES, posix.extname(name));
}

async function fileAnswer(files: ListedFiles, name: string, header: PageRequest['header']): Promise<Answer> {
  const encodings = files.encodingsOf(name);
  const encoding = chosenEncoding(header('accept-encoding'), encodings);
  const body = files.has(name) ? await files.read(name, encoding) : undefined;
  if (body === undefined) {
    const refusal = new LegionError('http.route_unknown', `the dashboard has no file ${shown(name)}`);
    return codedAnswer(refusal, PAGE_HEADERS);
  }
  // Of the very bytes: each form of a file has a mark of its own.
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  const headers = {
    ...PAGE_HEADERS,
    etag,
    'cache-control': name.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(encodings.length > 0 && { vary: 'Accept-Encoding' }),
  };
  if (hasAlready(header('if-none-match'), etag)) return { status: 304, headers, body: '' };
  const type = TYPES[posix.extname(name)] ?? 'application/octet-stream';
  const encoded = encoding === undefined ? {} : { 'content-encoding': encoding };
  return { status: 200, headers: { ...headers, ...encoded, 'content-type': type }, body };
}

function moved(): Answer {
  return textAnswer(302, 'text/plain; charset=utf-8', '', { ...PAGE_HEADERS, location: HOME });
}

function notAllowed(method: string, path: string): Answer {
  const refusal = new LegionError('http.method_not_allowed', `there is no ${method} ${shown(path)}, but GET`);
  return codedAnswer(refusal, { ...PAGE_HEADERS, allow: 'GET, HEAD' });
}

function unbuilt(): Answer {
  return textAnswer(503, 'text/html; charset=utf-8', UNBUILT_PAGE, PAGE_HEADERS);
}
