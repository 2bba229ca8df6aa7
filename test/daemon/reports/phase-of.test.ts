import { expect, test } from 'vitest';
import { BoardView } from '../../../src/daemon/board-view.ts';
import { phaseOf, phaseOfIssue } from '../../../src/daemon/reports/phase-of.ts';
import { MODES } from '../../../src/domain/mode.ts';

test('a phase is its mode, but for the implement worker of an issue in Retro', () => {
  for (const mode of MODES) {
    expect(phaseOf(mode, 'In Progress', {})).toBe(mode);
    expect(phaseOf(mode, 'Looking back', { Retro: ['Looking back'] })).toBe(
      mode === 'implement' ? 'retro' : mode,
    );
  }
});

test('of an issue that was never seen, the phase is the mode', () => {
  expect(phaseOfIssue({ view: new BoardView() }, 'A-1', 'implement')).toBe('implement');
});
