import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/legion/resolve.ts';
import { MODES } from '../../../src/core/model/mode.ts';
import { createWorkerTerminals } from '../../../src/daemon/composition/open-agents.ts';

const folder = mkdtempSync(join(tmpdir(), 'legion-compose-views-'));
afterAll(() => rmSync(folder, { recursive: true }));

function shownModes(agents: string): readonly string[] {
  const file = { path: join(folder, 'legion.yaml'), named: true };
  writeFileSync(file.path, `legion: shop\nscripted: allowed\nagents: ${agents}\n`);
  const loaded = loadConfig(file, { flags: [], environment: {} });
  if (!loaded.ok) throw new Error(loaded.fault.message);
  const { isWanted: wants } = createWorkerTerminals({
    config: () => loaded.value.config,
    file,
    environment: {},
    launcher: ['legion'],
  });
  return MODES.filter(wants);
}

test('opens no terminal views by default', () => {
  expect(shownModes('{ default: { agent: scripted } }')).toEqual([]);
});

test('applies the default view to a mode that uses another agent, unless the mode overrides the view', () => {
  const agents = '{ default: { agent: scripted, view: tmux }, plan: { agent: codex }, test: { view: none } }';
  expect(shownModes(agents)).toEqual(['architect', 'plan', 'implement', 'review', 'merge']);
});
