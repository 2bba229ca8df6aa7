/** Triage: no worker is needed, the text decides. */
import type { Action } from '../../core/model/action.ts';
import type { Route, Signals } from '../../core/model/signals.ts';
import type { Decision } from '../../domain/decision.ts';
import { verdict } from '../verdict.ts';

const ROUTES: Readonly<Record<Route, Action>> = {
  Todo: 'transition_to_todo',
  Backlog: 'transition_to_backlog',
  Icebox: 'transition_to_icebox',
};

export function decideTriage(signals: Signals): Decision {
  return verdict(signals, ROUTES[signals.route], 'routed', `route=${signals.route}`);
}
