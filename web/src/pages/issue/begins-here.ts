/** Marks where the focus goes when a dialog opens; without it that would be its Close button. For `ref`. */
export function beginsHere(element: HTMLElement | null): void {
  // As an attribute, which the browser looks for when it shows a dialog: React’s own `autoFocus` comes before that.
  element?.setAttribute('autofocus', '');
}
