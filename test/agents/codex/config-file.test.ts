import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatTomlString, renderCodexConfig } from '../../../src/agents/codex/home.ts';
import { assertProperty } from '../../support/property.ts';
import { newScene } from './order.ts';

const PLACES = {
  workspaces: ['/work "space"'],
  skills: { folder: '/home/skills', names: ['legion-worker'] },
  stopHook: "'/own/stop-hook.sh'",
};

test('the configuration file of a worker contains every setting', () => {
  const { order } = newScene();
  expect(renderCodexConfig({ order, ...PLACES })).toBe(`developer_instructions = "Be \\"good\\".\\nAlways."
allow_login_shell = false
web_search = "disabled"
check_for_update_on_startup = false

[features]
multi_agent = false
goals = false
apps = false
plugins = false
unbounded_connection_retries = false

[analytics]
enabled = false

[shell_environment_policy]
inherit = "all"
ignore_default_excludes = true

[projects."/work \\"space\\""]
trust_level = "untrusted"

[mcp_servers.legion]
command = "/bin/node"
args = ["/legion.js", "mcp"]
env_vars = ["LEGION_ISSUE", "LEGION_WORKER_TOKEN"]
required = true
startup_timeout_sec = 60
tool_timeout_sec = 600
default_tools_approval_mode = "approve"

[[hooks.Stop]]

[[hooks.Stop.hooks]]
type = "command"
command = "'/own/stop-hook.sh'"
timeout = 60

[skills.bundled]
enabled = false

[[skills.config]]
name = "legion-worker"
enabled = false

[[skills.config]]
path = "/home/skills/legion-worker/SKILL.md"
enabled = true
`);
});

test("contains the model and the custom endpoint, but not the endpoint's key", () => {
  const endpoint = { url: 'http://gateway', keyVariable: 'GATEWAY_KEY' };
  const { order } = newScene({ model: 'gpt-5', endpoint, env: { GATEWAY_KEY: 'the secret' } });
  const text = renderCodexConfig({ order, ...PLACES });
  expect(text).toContain('model = "gpt-5"\nmodel_provider = "legion"\n');
  expect(text).toContain(`[model_providers.legion]
name = "legion"
base_url = "http://gateway/v1"
wire_api = "responses"
env_key = "GATEWAY_KEY"
`);
  expect(text).not.toContain('the secret');
  const open = newScene({ endpoint: { url: 'http://gateway/v1', keyVariable: undefined } });
  expect(renderCodexConfig({ order: open.order, ...PLACES })).not.toContain('env_key');
});

test('encodes any text as one TOML string', () => {
  assertProperty(
    fc.property(fc.array(fc.nat(0xffff)), (codes) => {
      const text = String.fromCharCode(...codes);
      const written = formatTomlString(text);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
      expect(written).toMatch(/^"[^\x00-\x1f\x7f]*"$/);
      expect(JSON.parse(written)).toBe(text.toWellFormed());
    }),
  );
  expect(formatTomlString('\x7f\ud800')).toBe('"\\u007F\ufffd"');
});
