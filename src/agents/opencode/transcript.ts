/** Turns the parts of a session's messages into lines, each once, however often a part is told. */
import type { Emit } from '../../driving/dialect.ts';
import type { AgentLine } from '../../protocol/agent-line.ts';
import type { Part } from './events.ts';

/** Names of what was said last: what is told again is always recent, and a transcript may be endless. */
const REMEMBERED = 1_000;

/** What a tool is about, in the order in which it tells most. */
const TELLING: readonly string[] = ['command', 'filePath', 'path', 'pattern', 'url', 'description', 'name'];

export interface Transcript {
  /** `isOwn`: of the session itself, and not of one that it has started for a part of the work. */
  take(part: Part, isOwn: boolean): void;
  /** The turn is over: a tool that has not ended has been cut short. */
  end(): void;
}

export function transcribe(emit: Emit): Transcript {
  const said = new Set<string>();
  const running = new Set<string>();

  function isNew(name: string): boolean {
    if (said.has(name)) return false;
    said.add(name);
    const [oldest] = said;
    if (said.size > REMEMBERED && oldest !== undefined) said.delete(oldest);
    return true;
  }

  function takeTool({ callID: id, tool, state }: Extract<Part, { type: 'tool' }>): void {
    // Its input is not there yet.
    if (state.status === 'pending') return;
    if (isNew(`started ${id}`)) {
      running.add(id);
      const detail = detailOf(state);
      emit({ type: 'tool_started', tool, id, ...(detail === undefined ? {} : { detail }) });
    }
    if (state.status === 'running' || !isNew(`ended ${id}`)) return;
    running.delete(id);
    const result = state.error ?? state.output;
    emit({ type: 'tool_ended', id, failed: hasFailed(state), ...(result ? { result } : {}) });
  }

  return {
    take(part, isOwn) {
      if (part.type === 'tool') takeTool(part);
      else if (part.type === 'step-finish') {
        if (isNew(part.id)) emit(usageOf(part));
      } else if (isOwn && part.time?.end !== undefined && part.text !== '' && isNew(part.id))
        emit({ type: 'text', text: part.text });
    },
    end() {
      for (const id of running) emit({ type: 'tool_ended', id, failed: true });
      running.clear();
    },
  };
}

type ToolState = Extract<Part, { type: 'tool' }>['state'];

function hasFailed({ status, metadata }: ToolState): boolean {
  const exit = metadata?.exit;
  return status === 'error' || exit === null || (exit !== undefined && exit !== 0);
}

function detailOf({ input = {}, title }: ToolState): string | undefined {
  const telling = TELLING.map((name) => input[name]).find(
    (value) => typeof value === 'string' && value !== '',
  );
  return typeof telling === 'string' ? telling : title || undefined;
}

/** A cost of nothing means that no price is known: saying "free" would be a lie that budgets believe. */
function usageOf({ tokens, cost }: Extract<Part, { type: 'step-finish' }>): AgentLine {
  const { input, output, reasoning, cache } = tokens;
  return {
    type: 'usage',
    in: input + cache.read + cache.write,
    out: output + reasoning,
    ...(cost > 0 ? { usd: cost } : {}),
  };
}
