/** What a person's approval of an issue allows; the inbox and the page name the same thing. */
export const APPROVAL_SUBJECTS = ['specification', 'restart', 'merge'] as const;
export type ApprovalSubject = (typeof APPROVAL_SUBJECTS)[number];

/** The label `rollback` stays on an issue that is done again, so the status decides first. */
export function approvalSubject(status: string, labels: readonly string[]): ApprovalSubject {
  if (status === 'Retro') return 'merge';
  return labels.includes('rollback') ? 'restart' : 'specification';
}
