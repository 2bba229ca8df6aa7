/** Recorded lines of Codex 0.166.0. */

export const THREAD = '01a1e340-1fb8-7ce1-8efd-30eccd5d6cd2';

export const RECORDED = {
  thread: `{"type":"thread.started","thread_id":"${THREAD}"}`,
  turn: '{"type":"turn.started"}',
  notice:
    '{"type":"item.completed","item":{"id":"item_0","type":"error","message":"Model metadata for `gpt-5` not found. Defaulting to fallback metadata; this can degrade performance and cause issues."}}',
  words: '{"type":"item.completed","item":{"id":"item_1","type":"agent_message","text":"will run"}}',
  thinking: '{"type":"item.completed","item":{"id":"item_2","type":"reasoning","text":"**Planning**"}}',
  commandBegins: `{"type":"item.started","item":{"id":"item_3","type":"command_execution","command":"/bin/bash -c 'exit 3'","aggregated_output":"","exit_code":null,"status":"in_progress"}}`,
  commandFails: `{"type":"item.completed","item":{"id":"item_3","type":"command_execution","command":"/bin/bash -c 'exit 3'","aggregated_output":"","exit_code":3,"status":"failed"}}`,
  callBegins:
    '{"type":"item.started","item":{"id":"item_4","type":"mcp_tool_call","server":"legion","tool":"done","arguments":{"text":"x"},"result":null,"error":null,"status":"in_progress"}}',
  callEnds:
    '{"type":"item.completed","item":{"id":"item_4","type":"mcp_tool_call","server":"legion","tool":"done","arguments":{"text":"x"},"result":{"content":[{"type":"text","text":"ok"}],"structured_content":null},"error":null,"status":"completed"}}',
  change:
    '{"type":"item.completed","item":{"id":"item_5","type":"file_change","changes":[{"path":"/w/new.txt","kind":"add"}],"status":"completed"}}',
  search:
    '{"type":"item.started","item":{"id":"item_8","type":"web_search","id":"ws_1","query":"cats","action":{"type":"search","query":"cats"}}}',
  completed:
    '{"type":"turn.completed","usage":{"input_tokens":303,"cached_input_tokens":30,"cache_write_input_tokens":0,"output_tokens":63,"reasoning_output_tokens":15}}',
  failed:
    '{"type":"turn.failed","error":{"message":"unexpected status 401 Unauthorized: Incorrect API key provided, url: http://127.0.0.1:40565/v1/responses"}}',
  refused:
    '{"type":"error","message":"Reconnecting... 1/5 (exceeded retry limit, last status: 429 Too Many Requests)"}',
} as const;
