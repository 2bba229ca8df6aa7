/** Texts and tools of a turn, as the lines every agent's worker writes. */
import type { AgentLine } from '../../protocol/agent-line.ts';
import type { Block, StreamLineOf } from './stream-line.ts';

/** What a call is about, by the name the agent's tools have for it; the first that is there. */
const TELLING: readonly string[] = [
  ...['command', 'file_path', 'notebook_path', 'pattern', 'url', 'query', 'skill', 'description', 'summary'],
];

/** Texts of agents it started itself are theirs and its own to sum up; their tools run on this machine like its own. */
export function saidIn(line: StreamLineOf<'assistant' | 'user'>): readonly AgentLine[] {
  // The agent's own words about a request that failed; the result of the turn has them, too.
  if (line.type === 'assistant' && line.error !== undefined) return [];
  const isSpoken = line.type === 'assistant' && (line.parent_tool_use_id ?? undefined) === undefined;
  return line.message.content.flatMap((block) => lineOf(block, isSpoken) ?? []);
}

function lineOf(block: Block, isSpoken: boolean): AgentLine | undefined {
  switch (block.type) {
    case 'text':
      return isSpoken ? { type: 'text', text: block.text } : undefined;
    case 'thinking':
      // A model that thinks for minutes says nothing else; one that keeps its thoughts to itself sends them empty.
      return isSpoken && block.thinking !== '' ? { type: 'text', text: block.thinking } : undefined;
    case 'tool_use':
      return { type: 'tool_started', tool: block.name, id: block.id, ...detailOf(block.input) };
    case 'tool_result':
      return {
        ...{ type: 'tool_ended', id: block.tool_use_id, failed: block.is_error },
        ...(block.content ? { result: block.content } : {}),
      };
  }
}

function detailOf(input: Readonly<Record<string, unknown>>): { readonly detail?: string } {
  const detail = TELLING.map((name) => input[name]).find((value) => typeof value === 'string');
  return typeof detail === 'string' ? { detail } : {};
}
