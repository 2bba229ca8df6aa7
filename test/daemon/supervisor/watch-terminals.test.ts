import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/legion/load.ts';
import { wantedViews } from '../../../src/daemon/compose-views.ts';
import { MODES } from '../../../src/domain/mode.ts';

const folder = mkdtempSync(join(tmpdir(), 'legion-compose-views-'));
afterAll(() => rmSync(folder, { recursive: true }));

function shownModes(agents: string): readonly string[] {
  const file = { path: join(folder, 'legion.yaml'), named: true };
  writeFileSync(file.path, `legion: shop\nscripted: allowed\nagents: ${agents}\n`);
  const loaded = loadConfig(file, { flags: [], environment: {} });
  if (!loaded.ok) throw new Error(loaded.fault.message);
  const { wants } = wantedViews({
    ...{ config: () => loaded.value.config, file, environment: {}, launcher: ['legion'] },
  });
  return MODES.filter(wants);
}

test('nobody is shown unless it is asked for', () => {
  expect(shownModes('{ default: { agent: scripted } }')).toEqual([]);
});

test('what is asked for all modes holds for one with another agent, too; a mode may say otherwise', () => {
  const agents = '{ default: { agent: scripted, view: tmux }, plan: { agent: codex }, test: { view: none } }';
  expect(shownModes(agents)).toEqual(['architect', 'plan', 'implement', 'review', 'merge']);
});
