/**
 * Extracts the end of an agent's output for people: a few lines without secrets and control
 * characters.
 */
import { LegionError } from '../../core/model/fault.ts';
import { toPlainText, truncateText } from '../../core/model/format.ts';
import type { WorkerId } from '../../core/model/ids.ts';
import type { Mode } from '../../core/model/mode.ts';
import { parseJson } from '../../lib/json.ts';
import type { Host, OutputStream } from '../../ports/host.ts';
import { type AgentLine, parseAgentLine } from '../../protocol/agent-line.ts';
import { quoteAsCode, redactOutput } from '../present/reason.ts';

const MAX_LINES = 10;
/** About two terminal lines. */
const MAX_LINE_CHARS = 200;
/** Number of bytes read from the end of a stream. A single tool result may be 4,000 bytes long. */
const READ_BYTES = 32 * 1_024;

/** Returns the last lines of output. Undefined if there was no output or it has been removed. */
export async function readLastOutput(
  { host }: { readonly host: Host },
  worker: WorkerId,
  attempt: number,
): Promise<string | undefined> {
  const said = describeLines(await readEnd(host, worker, attempt, 'out'));
  const complaints = await readEnd(host, worker, attempt, 'err');
  // Redacts before splitting into lines, so that no secret is cut in half and missed.
  const lines = redactOutput(toPlainText(`${said}\n${complaints}`))
    .split('\n')
    .map((line) => truncateText(line.trimEnd(), MAX_LINE_CHARS))
    .filter((line) => line.trim() !== '');
  return lines.length === 0 ? undefined : lines.slice(-MAX_LINES).join('\n');
}

export function formatLastOutput(mode: Mode, output: string): string {
  return `Last output of the ${mode} worker:\n\n${quoteAsCode(output)}`;
}

/** Returns an empty text for an unreadable stream, so that the other stream is still shown. */
async function readEnd(host: Host, worker: WorkerId, attempt: number, stream: OutputStream): Promise<string> {
  try {
    const offset = await host.findLineNearEnd(worker, attempt, READ_BYTES, stream);
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
