/** Accepts files dropped anywhere on the page, and shows a sign while they hover. */
export function listenForDrops(sign: HTMLElement, onFiles: (files: File[]) => void): void {
  let depth = 0;
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
  const show = (change: number) => {
    depth = Math.max(0, depth + change);
    sign.hidden = depth === 0;
  };
  addEventListener('dragenter', (event) => hasFiles(event) && show(1));
  addEventListener('dragleave', (event) => hasFiles(event) && show(-1));
  addEventListener('dragover', (event) => {
    if (hasFiles(event)) event.preventDefault();
  });
  addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    show(-depth);
    onFiles([...(event.dataTransfer?.files ?? [])]);
  });
}
