/** OpenAI Chat Completions API as OpenCode uses it with a compatible provider. */
import type { ServerResponse } from 'node:http';
import { type ModelMove, type ToolCall, USUAL_USAGE } from './mind.ts';
import type { ModelWire } from './server.ts';

interface ChatRequestBody {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content?: string | readonly { readonly text?: string }[] | null;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
}

export const chat: ModelWire = {
  path: '/v1/chat/completions',
  read(data) {
    const { model, messages, tools = [] } = data as ChatRequestBody;
    const of = (role: ChatMessage['role']) => messages.filter((message) => message.role === role);
    const prompts = of('user').flatMap(extractPrompts);
    const asked = messages.findLastIndex(
      (message) => extractPrompts(message).length > 0 && message.role === 'user',
    );
    return {
      wire: 'chat',
      model,
      system: of('system').map(extractText).join('\n'),
      tools: tools.map(({ function: { name } }) => name),
      prompts,
      calls: extractCalls(messages.slice(asked + 1)),
    };
  },
  write(move, seen, body, response) {
    // A request without tools asks for a title or a summary, so it is not a turn of the worker.
    writeChatStream(
      response,
      seen.tools.length === 0 ? { say: 'In short' } : move,
      (body as ChatRequestBody).messages.length,
    );
  },
};

/** Skips the texts that OpenCode adds itself, which it marks with tags. */
function extractPrompts(message: ChatMessage): string[] {
  const text = extractText(message)
    .replaceAll(/<system-reminder>.*?<\/system-reminder>/gs, '')
    .trim();
  return text === '' ? [] : [text];
}

function extractText({ content }: ChatMessage): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map(({ text = '' }) => text).join('\n');
}

function extractCalls(messages: readonly ChatMessage[]): ToolCall[] {
  const results = new Map(
    messages.flatMap((each) => (each.role === 'tool' ? [[each.tool_call_id, extractText(each)]] : [])),
  );
  return messages
    .flatMap(({ tool_calls = [] }) => tool_calls)
    .map(({ id, function: { name, arguments: input } }) => ({
      tool: name,
      input: JSON.parse(input),
      result: results.get(id),
    }));
}

type ChatMove = Parameters<ModelWire['write']>[0];

function writeChatStream(response: ServerResponse, move: ChatMove, count: number): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (delta: object, finish: string | null = null, more: object = {}) => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    const chunk = {
      id: `chat-${count}`,
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices,
      ...more,
    };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  send({ role: 'assistant', content: '' });
  if ('say' in move && move.say !== undefined) send({ content: move.say });
  const call = callOf(move);
  if (call !== undefined) {
    const named = { name: call.tool, arguments: JSON.stringify(call.input) };
    send({ tool_calls: [{ index: 0, id: `call-${count}`, type: 'function', function: named }] });
  }
  const usage = move.usage ?? USUAL_USAGE;
  send({}, call === undefined ? 'stop' : 'tool_calls', {
    usage: { prompt_tokens: usage.in, completion_tokens: usage.out, total_tokens: usage.in + usage.out },
  });
  response.end('data: [DONE]\n\n');
}

function callOf(move: ModelMove): { readonly tool: string; readonly input: object } | undefined {
  if ('run' in move) return { tool: 'bash', input: { command: move.run, description: 'Runs a command' } };
  if ('verb' in move) return { tool: `legion_${move.verb}`, input: move.input };
  return 'tool' in move ? move : undefined;
}
