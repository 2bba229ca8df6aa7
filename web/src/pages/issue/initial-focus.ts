/**
 * Marks the element that gets the focus when a dialog opens, instead of the Close button. Passed as
 * `ref`.
 */
export function markInitialFocus(element: HTMLElement | null): void {
  // Set as an attribute, which the browser reads when it shows a dialog. React’s own `autoFocus`
  // runs too early.
  element?.setAttribute('autofocus', '');
}
