/** The end of what a worker's agent said, for people: a few lines without secrets and control characters. */
import { LegionError } from '../../core/model/fault.ts';
import type { WorkerId } from '../../core/model/ids.ts';
import type { Mode } from '../../domain/mode.ts';
import { cutText, plainText } from '../../domain/plain-text.ts';
import type { Host, OutputStream } from '../../hosts/host.ts';
import { parseJson } from '../../lib/json.ts';
import { type AgentLine, parseAgentLine } from '../../protocol/agent-line.ts';
import { quoteAsCode } from '../present/quote-as-code.ts';
import { withoutSecrets } from '../present/without-secrets.ts';

const MAX_LINES = 10;
/** About two lines of a terminal. */
const MAX_LINE_CHARS = 200;
/** Bytes read from the end of a stream: a result of a tool alone may have four thousand. */
const READ_BYTES = 32 * 1_024;

/** Undefined where it said nothing, or nothing is kept of it any more. */
export async function readLastOutput(
  { host }: { readonly host: Host },
  worker: WorkerId,
  attempt: number,
): Promise<string | undefined> {
  const said = describeLines(await readEnd(host, worker, attempt, 'out'));
  const complaints = await readEnd(host, worker, attempt, 'err');
  // Whole before it is cut into lines, so that a secret is seen whole.
  const lines = withoutSecrets(plainText(`${said}\n${complaints}`))
    .split('\n')
    .map((line) => cutText(line.trimEnd(), MAX_LINE_CHARS))
    .filter((line) => line.trim() !== '');
  return lines.length === 0 ? undefined : lines.slice(-MAX_LINES).join('\n');
}

export function lastOutputAsMarkdown(mode: Mode, output: string): string {
  return `Last output of the ${mode} worker:\n\n${quoteAsCode(output)}`;
}

/** What cannot be read is left out: the rest of the answer is worth having. */
async function readEnd(host: Host, worker: WorkerId, attempt: number, stream: OutputStream): Promise<string> {
  try {
    const offset = await host.lineNearEnd(worker, attempt, READ_BYTES, stream);
    let text = '';
    for await (const chunk of host.output(worker, attempt, offset, stream)) {
      text += chunk.text;
      if (text.length > 2 * READ_BYTES) break;
    }
    return text;
  } catch (error) {
    if (error instanceof LegionError) return '';
    throw error;
  }
}

function describeLines(text: string): string {
  const described = text.split('\n').map((line) => {
    const read = parseAgentLine(parseJson(line));
    return read === undefined ? line : describeAgentLine(read);
  });
  return described.join('\n');
}

function describeAgentLine(line: AgentLine): string {
  switch (line.type) {
    case 'text':
      return line.text;
    case 'question':
      return `asks: ${line.text}`;
    case 'tool_started':
      return `> ${line.tool}${line.detail === undefined ? '' : `: ${line.detail}`}`;
    case 'tool_ended':
      return line.result ?? (line.failed ? 'the tool failed' : '');
    case 'error':
      return `error: ${line.message}`;
    case 'rate_limited':
      return 'refused for lack of quota';
    case 'login_refused':
      return `login refused: ${line.message}`;
    case 'started':
    case 'usage':
    case 'heard':
    case 'turn_ended':
      return '';
  }
}
