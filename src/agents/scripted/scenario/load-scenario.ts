/** Reads a scenario file, YAML or JSON. */
import { constants, open } from 'node:fs/promises';
import { LegionError } from '../../../core/model/fault.ts';
import { readScenario } from './read-scenario.ts';
import type { Scenario } from './scenario.ts';

/** Bytes. Scenarios are written by hand; what is larger is another file. */
const FILE_MOST_BYTES = 1_000_000;

/** Rejects with `scenario.unreadable` or `scenario.invalid`. */
export async function loadScenario(file: string): Promise<Scenario> {
  const text = await readText(file);
  return readScenario(file.endsWith('.json') ? fromJson(text, file) : await fromYaml(text, file), file);
}

async function readText(file: string): Promise<string> {
  const unreadable = (why: string, cause?: unknown) =>
    new LegionError('scenario.unreadable', `${file}: ${why}`, { cause });
  // Not blocking, so that a named pipe is refused instead of waited for.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    throw unreadable(error instanceof Error ? error.message : String(error), error);
  });
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw unreadable('is not an ordinary file');
    if (stats.size > FILE_MOST_BYTES) throw unreadable(`is larger than ${FILE_MOST_BYTES} bytes`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

function fromJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new LegionError('scenario.invalid', `${file}: is not JSON: ${why}`, { cause: error });
  }
}

/** Loaded only here: the library takes longer to load than a short turn to play. */
async function fromYaml(text: string, file: string): Promise<unknown> {
  const { LineCounter, parseDocument } = await import('yaml');
  const lineCounter = new LineCounter();
  const document = parseDocument(text, {
    lineCounter,
    prettyErrors: false,
    schema: 'core',
    logLevel: 'error',
  });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lineCounter.linePos(error.pos[0]);
    throw new LegionError('scenario.invalid', `${file}:${line}:${col}: is not valid YAML: ${error.message}`);
  }
  try {
    return document.toJS();
  } catch (failure) {
    // Too many aliases, or one without an anchor.
    const why = failure instanceof Error ? failure.message : String(failure);
    throw new LegionError('scenario.invalid', `${file}: ${why}`, { cause: failure });
  }
}
