/** Keeps an answer that is larger than any that makes sense out of memory, below the fetch that Linear's SDK uses. */
import { LegionError } from '../domain/fault.ts';

/** A page of 50 issues with long descriptions and comments is a megabyte or two; more than this is not held in memory. */
const ANSWER_MAX_BYTES = 32 * 1024 * 1024;

/** What Node's fetch sends requests through. */
type Dispatcher = NonNullable<RequestInit['dispatcher']>;
type Handler = Parameters<Dispatcher['dispatch']>[1];

/** Where Node keeps the one that all of its fetches use; a proxy that the machine demands is set up there, too. */
const OF_NODE = Symbol.for('undici.globalDispatcher.1');

/**
 * The SDK reads answers whole, and takes neither a fetch of ours nor a limit; what it does take are the options of a request,
 * and this is one of them. It counts what comes over the wire, so answers have to come unpacked: `accept-encoding` asks for that.
 */
export function boundedAnswers(): Dispatcher {
  // Node sets it up when its fetch is first asked for, and every part of fetch is asked for as one.
  void globalThis.Headers;
  const under = (globalThis as { readonly [OF_NODE]?: Dispatcher })[OF_NODE];
  // Never so in the version of Node that Legion brings; without it nothing would be bounded.
  if (under === undefined) throw new LegionError('linear.unavailable', 'this Node has no dispatcher');
  const dispatch: Dispatcher['dispatch'] = (options, handler) => under.dispatch(options, bounded(handler));
  return { dispatch } as Dispatcher;
}

/** Passes everything on, until it is too much; `Object.create` keeps all that it does not look at. */
function bounded(handler: Handler): Handler {
  let size = 0;
  let end: (reason: Error) => void = () => {};
  const refuse = (says: string): false => {
    end(new LegionError('linear.unavailable', `Linear’s answer ${says}`));
    return false;
  };
  const own: Handler = {
    onConnect(abort) {
      end = abort;
      handler.onConnect?.(abort);
    },
    onHeaders(status, headers, resume, text) {
      if (isPacked(headers)) return refuse('is packed, although that was not asked for');
      return handler.onHeaders?.(status, headers, resume, text) ?? true;
    },
    onData(chunk) {
      size += chunk.byteLength;
      if (size > ANSWER_MAX_BYTES) return refuse(`is larger than ${ANSWER_MAX_BYTES} bytes`);
      return handler.onData?.(chunk) ?? true;
    },
  };
  return Object.assign(Object.create(handler) as Handler, own);
}

/** Names and values by turns. */
function isPacked(headers: readonly Buffer[]): boolean {
  const words = headers.map((each) => each.toString('latin1').toLowerCase());
  return words.some(
    (word, index) =>
      index % 2 === 0 &&
      word === 'content-encoding' &&
      !['', 'identity'].includes(words[index + 1]?.trim() ?? ''),
  );
}
