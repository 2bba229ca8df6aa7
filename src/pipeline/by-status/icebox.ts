/** Icebox: an issue leaves when a person has clarified it, there is room, and no older one is waiting. */

import type { Signals } from '../../core/model/signals.ts';
import type { Decision } from '../../domain/decision.ts';
import { verdict } from '../verdict.ts';

export function decideIcebox(signals: Signals): Decision {
  const fact = `icebox=${signals.icebox}`;
  return signals.icebox === 'due'
    ? verdict(signals, 'transition_to_backlog', 'clarified', fact)
    : verdict(signals, 'skip', signals.icebox, fact);
}
