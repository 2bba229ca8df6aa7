/** How an operator's word to a worker begins: the receiver must be able to tell it from another worker's. */

export function fromOperator(by: string, text: string): string {
  return `From operator ${by}:\n\n${text}`;
}
