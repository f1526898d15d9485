/** Accepts files and folders dropped anywhere on the page, and shows a sign while they hover. */
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
  addEventListener('drop', async (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    show(-depth);
    // Items are gone once the event is over; those that a script made have no entries.
    const given = [...(event.dataTransfer?.items ?? [])].map((item) => item.webkitGetAsEntry() ?? item.getAsFile());
    onFiles((await Promise.all(given.map(filesOf))).flat());
  });
}

/** A file, or all files of a folder and of those in it. A model that needs a file which cannot be read misses it. */
async function filesOf(given: FileSystemEntry | File | null): Promise<File[]> {
  if (given === null || given instanceof File) return given ? [given] : [];
  try {
    if (given.isFile) {
      const file = await new Promise<File>((resolve, reject) => (given as FileSystemFileEntry).file(resolve, reject));
      // Files of a chosen folder have their path here as well.
      return [Object.defineProperty(file, 'webkitRelativePath', { value: given.fullPath.slice(1) })];
    }
    const reader = (given as FileSystemDirectoryEntry).createReader();
    const read = () => new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    const entries: FileSystemEntry[] = [];
    // A reader gives some at a time, and in the end none.
    for (let some = await read(); some.length > 0; some = await read()) entries.push(...some);
    return (await Promise.all(entries.map(filesOf))).flat();
  } catch {
    return [];
  }
}
