/** Puts budgets into the text of a `legion.yaml`; everything else in it stays as it was written. */
import { parseDocument } from 'yaml';

export interface GivenBudgets {
  readonly issueUsd: number | 'none';
  readonly dayUsd: number | 'none';
}

export function withBudgets(text: string, { issueUsd, dayUsd }: GivenBudgets): string {
  const document = parseDocument(text);
  document.setIn(['budgets', 'issue', 'usd'], issueUsd);
  document.setIn(['budgets', 'day', 'usd'], dayUsd);
  return document.toString();
}
