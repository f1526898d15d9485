/** Copies a text to the clipboard; false if the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without permission or a secure context, the deprecated command may still work.
    let done = false;
    const put = (event: ClipboardEvent) => {
      event.clipboardData?.setData('text/plain', text);
      event.preventDefault();
      done = true;
    };
    document.addEventListener('copy', put, { once: true });
    document.execCommand('copy');
    document.removeEventListener('copy', put);
    return done;
  }
}
